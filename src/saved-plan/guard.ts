import type { Context, DecidedChange } from '../change/context.ts';
import type { BeforeSend } from '../execute/context.ts';
import type { OnEvent } from '../execute/events.ts';
import { isNamedAmong, objectKey } from '../manifest/resource-id.ts';
import type { ResourceId } from '../manifest/types.ts';
import { liveObject, type Samples, samplesOf } from './found.ts';
import { changesOf } from './object-changes.ts';
import { refuseOutdated } from './outdated.ts';
import { maskOf } from './secrets.ts';
import type { SavedRelease } from './types.ts';

/**
 * Asked before each object is sent, since minutes may pass between batches: it must still be as it was when the plan was
 * made, and stay at the version that was looked at until it is written. Errors: `plan-outdated`.
 */
export function guardOf(
  saved: SavedRelease,
  decided: DecidedChange,
  { allowed, since }: { readonly allowed: readonly string[]; readonly since: string },
  context: Context,
): { readonly beforeSend: BeforeSend; readonly onEvent: OnEvent } {
  const found = new Map(saved.found.map((one) => [objectKey(one.id), one]));
  const mask = maskOf(decided);
  let samples: Promise<Samples> | undefined;
  const beforeSend = async (id: ResourceId): Promise<string | undefined> => {
    const was = found.get(objectKey(id));
    if (was === undefined || isNamedAmong(id, allowed)) return undefined;
    const cluster = await context.cluster();
    samples ??= samplesOf(decided, { cluster, signal: context.signal });
    const live = await cluster.get(id, { signal: context.signal });
    const is = liveObject(id, was.task, live, await samples);
    refuseOutdated(saved, await changesOf(was, is, { mask, since, action: saved.action }), { isBegun: true });
    return live?.metadata.resourceVersion;
  };
  // An object may be in a plan twice: once it is sent, it is this run that changes it.
  const onEvent: OnEvent = (event) => {
    if (event.kind === 'resource' && sentStates.has(event.state)) found.delete(objectKey(event.id));
  };
  return { beforeSend, onEvent };
}

const sentStates: ReadonlySet<string> = new Set(['created', 'configured', 'unchanged', 'deleted']);
