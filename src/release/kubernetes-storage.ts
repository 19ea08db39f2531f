import { isApiError, unusable } from '../cluster/api-error.ts';
import type { Cluster, ListOptions } from '../cluster/types.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { compareText } from '../support/order.ts';
import type { Clock } from '../support/time.ts';
import { parseSelector } from './label-selector.ts';
import { type RecordKind, recordName, recordObject, releaseExists, releaseNotFound, releaseOf } from './record.ts';
import type { Release, ReleaseStorage } from './types.ts';

export interface KubernetesStorageOptions {
  readonly namespace: string;
  readonly clock: Clock;
  /** Told about a record that could not be read and was left out of a list, as Helm leaves it out. */
  readonly onUnreadable?: ((object: KubernetesObject, cause: unknown) => void) | undefined;
}

/** Keeps releases in Secrets (the default) or ConfigMaps of one namespace, as Helm's drivers do. */
export function kubernetesStorage(
  kind: RecordKind,
  cluster: Cluster,
  options: KubernetesStorageOptions,
): ReleaseStorage {
  const { namespace, clock } = options;
  const seconds = (): string => String(Math.floor(clock.now().getTime() / 1000));
  const id = (name: string, version: number): ResourceId => ({
    apiVersion: 'v1',
    kind,
    namespace,
    name: recordName(name, version),
  });

  const readable = async (object: KubernetesObject): Promise<readonly Release[]> => {
    try {
      return [await releaseOf(object)];
    } catch (cause) {
      options.onUnreadable?.(object, cause);
      return [];
    }
  };
  const readAll = async (objects: readonly KubernetesObject[]): Promise<readonly Release[]> =>
    (await Promise.all(objects.map(readable))).flat();

  const listRecords = async (step: string, query: ListOptions): Promise<readonly KubernetesObject[]> => {
    try {
      return await cluster.list('v1', kind, query);
    } catch (cause) {
      throw withStep(step, cause);
    }
  };

  return {
    driver: kind === 'Secret' ? 'secret' : 'configmap',
    async create(release) {
      const object = await recordObject(kind, namespace, release, { createdAt: seconds() });
      try {
        await cluster.create(object, { metadataOnly: true });
      } catch (cause) {
        throw isApiError(cause, 'AlreadyExists') ? releaseExists(release) : withStep('create: failed to create', cause);
      }
    },
    async update(release) {
      const object = await recordObject(kind, namespace, release, { modifiedAt: seconds() });
      try {
        await cluster.replace(object, { metadataOnly: true });
      } catch (cause) {
        throw isApiError(cause, 'NotFound')
          ? releaseNotFound(release.name)
          : withStep('update: failed to update', cause);
      }
    },
    async delete(name, version) {
      if (!(await cluster.delete(id(name, version)))) throw releaseNotFound(name);
    },
    async get(name, version) {
      const step = `get: failed to get ${JSON.stringify(recordName(name, version))}`;
      const object = await cluster.get(id(name, version)).catch((cause) => {
        throw withStep(step, cause);
      });
      return object === undefined ? undefined : releaseOf(object);
    },
    async revisions(name) {
      const labelSelector = `name=${name},owner=helm`;
      const objects = await listRecords('query: failed to query with labels', { namespace, labelSelector });
      return [...(await readAll(objects))].sort((a, b) => a.version - b.version);
    },
    async list(filter = {}) {
      const objects = await listRecords('list: failed to list', {
        namespace: filter.namespace ?? namespace,
        labelSelector: 'owner=helm',
      });
      const wanted = filter.newestOnly === true ? newestRecords(objects) : objects;
      const matches = parseSelector(filter.labelSelector ?? '');
      const releases = await readAll(wanted.filter((object) => matches(object.metadata.labels ?? {})));
      return [...releases].sort(
        (a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name) || a.version - b.version,
      );
    },
  };
}

/** Picks the newest revision by the labels, so that older ones need not be unpacked. */
function newestRecords(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const newest = new Map<string, KubernetesObject>();
  for (const object of objects) {
    const key = `${object.metadata.namespace}/${object.metadata.labels?.['name']}`;
    const known = newest.get(key);
    if (known === undefined || versionOf(known) < versionOf(object)) newest.set(key, object);
  }
  return [...newest.values()];
}

const versionOf = (object: KubernetesObject): number => Number(object.metadata.labels?.['version'] ?? 0);

/** The server's refusal with Helm's words for the step before it. */
function withStep(step: string, cause: unknown): unknown {
  if (!isApiError(cause)) return cause;
  // Helm asks for the server's version first, and so knows a wrong token before it reads a record.
  if (cause.failure.status === 401) return unusable(messageOf(cause), cause);
  return new TshelmError(cause.code, { message: `${step}: ${messageOf(cause)}`, details: cause.details, cause });
}
