import type { Cluster } from '../../cluster/types.ts';
import { idOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { manifestOfHook } from '../../plan/arrange.ts';
import { readStoredManifest } from '../../plan/stored-manifest.ts';
import type { Release } from '../../release/types.ts';
import { createLimiter, settleAll } from '../../support/concurrency.ts';
import type { Context } from '../context.ts';

const requestsAtATime = 16;

/**
 * When an operation last did something that can be seen from outside, by the server's clock: it wrote its record, or it
 * made or changed an object of the release. What controllers change is no sign of it: a broken pod restarts for ever.
 */
export async function lastActivityAt(release: Release, context: Context): Promise<Date> {
  const cluster = await context.cluster();
  const record = (await context.storage()).recordId(release.name, release.version);
  const ids = record === undefined ? objectsOf(release) : [record, ...objectsOf(release)];
  const limit = createLimiter(requestsAtATime);
  const { values } = await settleAll(ids.map((id) => () => limit(() => lastTouched(id, cluster, context.signal))));
  context.signal?.throwIfAborted();
  // A record that cannot be read any more has just been changed.
  if (record !== undefined && values[0] === undefined) return context.clock.now();
  const begun = record === undefined ? Date.parse(release.info.lastDeployed ?? '') || 0 : 0;
  return new Date(Math.max(begun, ...values.map((time) => time ?? 0)));
}

const objectsOf = ({ manifest, hooks, namespace }: Release): readonly ResourceId[] =>
  [...readStoredManifest(manifest), ...hooks.map(manifestOfHook)]
    .filter(({ object }) => object.metadata.name)
    .map(({ object }) => idOf(object, namespace));

/** Milliseconds; undefined for what is not there or cannot be asked for. */
async function lastTouched(
  id: ResourceId,
  cluster: Cluster,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  const object = await cluster.get(id, { signal });
  return object === undefined ? undefined : lastWrittenAt(object);
}

function lastWrittenAt({ metadata }: KubernetesObject): number {
  const { creationTimestamp, managedFields = [] } = metadata as {
    creationTimestamp?: string;
    managedFields?: readonly { manager?: string; time?: string }[];
  };
  const own = managedFields.filter(({ manager }) => manager === 'helm').map(({ time }) => time);
  const times = [creationTimestamp, ...own].flatMap((time) => (time === undefined ? [] : Date.parse(time)));
  // By the clock of whoever wrote the record, so only where the server does not tell.
  if (managedFields.length === 0) times.push(Number(metadata.labels?.['modifiedAt'] ?? 0) * 1000);
  return Math.max(0, ...times);
}
