import { isApiError, unusable } from '../cluster/api-error.ts';
import type { Cluster, ListOptions } from '../cluster/types.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { messageOf } from '../support/errors.ts';
import { freeMemory } from '../support/free-memory.ts';
import { compareText } from '../support/order.ts';
import type { Clock } from '../support/time.ts';
import type { DecodeOptions } from './codec.ts';
import { parseSelector } from './label-selector.ts';
import { type RecordKind, recordName, recordObject, releaseExists, releaseNotFound, releaseOf } from './record.ts';
import type { BriefOption, ListReleasesOptions, Release, ReleaseStorage } from './types.ts';

export interface KubernetesStorageOptions extends Pick<DecodeOptions, 'keepsIntegers'> {
  readonly namespace: string;
  readonly clock: Clock;
  /** Told about a record that could not be read and was left out of a list, as Helm leaves it out. */
  readonly onUnreadable?: ((object: KubernetesObject, cause: unknown) => void) | undefined;
}

/** Keeps releases in Secrets (the default) or ConfigMaps of one namespace, as Helm's drivers do. */
export const kubernetesStorage = (
  kind: RecordKind,
  cluster: Cluster,
  options: KubernetesStorageOptions,
): ReleaseStorage => new KubernetesStorage(kind, cluster, options);

type ReadOptions = Pick<ListReleasesOptions, 'newestOnly' | 'isBrief'>;
const queryStep = 'query: failed to query with labels';

class KubernetesStorage implements ReleaseStorage {
  readonly driver: ReleaseStorage['driver'];
  readonly #kind: RecordKind;
  readonly #cluster: Cluster;
  readonly #options: KubernetesStorageOptions;

  constructor(kind: RecordKind, cluster: Cluster, options: KubernetesStorageOptions) {
    this.driver = kind === 'Secret' ? 'secret' : 'configmap';
    this.#kind = kind;
    this.#cluster = cluster;
    this.#options = options;
  }

  async create(release: Release): Promise<void> {
    const object = await recordObject(this.#kind, this.#options.namespace, release, { createdAt: this.#seconds() });
    try {
      await this.#cluster.create(object, { metadataOnly: true });
    } catch (cause) {
      throw isApiError(cause, 'AlreadyExists') ? releaseExists(release) : withStep('create: failed to create', cause);
    }
  }

  async update(release: Release): Promise<void> {
    const object = await recordObject(this.#kind, this.#options.namespace, release, { modifiedAt: this.#seconds() });
    try {
      await this.#cluster.replace(object, { metadataOnly: true });
    } catch (cause) {
      throw isApiError(cause, 'NotFound') ? releaseNotFound(release.name) : withStep('update: failed to update', cause);
    }
  }

  async delete(name: string, version: number): Promise<void> {
    if (!(await this.#cluster.delete(this.#id(name, version)))) throw releaseNotFound(name);
  }

  async get(name: string, version: number): Promise<Release | undefined> {
    const step = `get: failed to get ${JSON.stringify(recordName(name, version))}`;
    const object = await this.#cluster.get(this.#id(name, version)).catch((cause) => {
      throw withStep(step, cause);
    });
    return object === undefined ? undefined : releaseOf(object, { keepsIntegers: this.#options.keepsIntegers });
  }

  async revisions(name: string, { isBrief }: BriefOption = {}): Promise<readonly Release[]> {
    const found = await this.#read(queryStep, this.#queryOf(name), { isBrief });
    return [...found].sort((a, b) => a.version - b.version);
  }

  async newest(name: string): Promise<Release | undefined> {
    const [newest] = await this.#read(queryStep, this.#queryOf(name), { newestOnly: true });
    return newest;
  }

  async list(filter: ListReleasesOptions = {}): Promise<readonly Release[]> {
    const query = { namespace: filter.namespace ?? this.#options.namespace, labelSelector: 'owner=helm' };
    const matches = parseSelector(filter.labelSelector ?? '');
    const found = await this.#read('list: failed to list', query, filter);
    return found
      .filter(({ storedLabels }) => matches(storedLabels ?? {}))
      .sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name) || a.version - b.version);
  }

  #queryOf = (name: string): ListOptions => ({
    namespace: this.#options.namespace,
    labelSelector: `name=${name},owner=helm`,
  });

  /** Page by page; of a page, no more than a record at a time where only little of it is kept. */
  async #read(step: string, query: ListOptions, { newestOnly, isBrief }: ReadOptions): Promise<readonly Release[]> {
    const found = new Map<string, { readonly version: number; readonly release: Release }>();
    const take = async (object: KubernetesObject): Promise<void> => {
      const version = versionOf(object);
      const key = newestOnly === true ? releaseKey(object) : `${releaseKey(object)} ${object.metadata.name}`;
      if ((found.get(key)?.version ?? -1) > version) return;
      for (const release of await this.#readable(object, isBrief)) found.set(key, { version, release });
    };
    try {
      for await (const page of this.#cluster.pages('v1', this.#kind, query)) {
        const wanted = newestOnly === true ? newestRecords(page) : page;
        if (isBrief === true) for (const object of wanted) await take(object);
        else await Promise.all(wanted.map(take));
        freeMemory();
      }
    } catch (cause) {
      throw withStep(step, cause);
    }
    return [...found.values()].map(({ release }) => release);
  }

  async #readable(object: KubernetesObject, isBrief: boolean | undefined): Promise<readonly Release[]> {
    try {
      return [await releaseOf(object, { isBrief, keepsIntegers: this.#options.keepsIntegers })];
    } catch (cause) {
      this.#options.onUnreadable?.(object, cause);
      return [];
    }
  }

  #id(name: string, version: number): ResourceId {
    return { apiVersion: 'v1', kind: this.#kind, namespace: this.#options.namespace, name: recordName(name, version) };
  }

  #seconds(): string {
    return String(Math.floor(this.#options.clock.now().getTime() / 1000));
  }
}

/** Picks the newest revision by the labels, so that older ones need not be unpacked. */
function newestRecords(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const newest = new Map<string, KubernetesObject>();
  for (const object of objects) {
    const key = releaseKey(object);
    const known = newest.get(key);
    if (known === undefined || versionOf(known) < versionOf(object)) newest.set(key, object);
  }
  return [...newest.values()];
}

const releaseKey = ({ metadata }: KubernetesObject): string => `${metadata.namespace}/${metadata.labels?.['name']}`;

const versionOf = (object: KubernetesObject): number => Number(object.metadata.labels?.['version'] ?? 0);

/** The server's refusal with Helm's words for the step before it. */
function withStep(step: string, cause: unknown): unknown {
  if (!isApiError(cause)) return cause;
  // Helm asks for the server's version first, and so knows a wrong token before it reads a record.
  if (cause.failure.status === 401) return unusable(messageOf(cause), cause);
  return cause.wrapped({ message: `${step}: ${messageOf(cause)}` });
}
