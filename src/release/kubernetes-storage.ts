import { createHash } from 'node:crypto';
import { asFirstFailure, isApiError } from '../cluster/api-error.ts';
import type { Cluster, ListOptions } from '../cluster/types.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { messageOf } from '../support/errors.ts';
import { compareText } from '../support/order.ts';
import { parseSelector } from './label-selector.ts';
import { checkNameAsked } from './name.ts';
import { type RecordKind, recordName, recordObject, releaseExists, releaseNotFound, releaseOf } from './record.ts';
import { checkStorable } from './record-size.ts';
import type { StorageOptions } from './storage-options.ts';
import type { BriefOption, ListReleasesOptions, Release, ReleaseStorage, TrialOption } from './types.ts';

/** Keeps releases in Secrets (the default) or ConfigMaps of one namespace, as Helm's drivers do. */
export const kubernetesStorage = (kind: RecordKind, cluster: Cluster, options: StorageOptions): ReleaseStorage =>
  new KubernetesStorage(kind, cluster, options);

type ReadOptions = Pick<ListReleasesOptions, 'newestOnly' | 'isBrief'>;
const queryStep = 'query: failed to query with labels';

class KubernetesStorage implements ReleaseStorage {
  readonly #kind: RecordKind;
  readonly #cluster: Cluster;
  readonly #options: StorageOptions;
  /** Under a lock: the records as they were read or written last, by name. */
  readonly #known: Map<string, KnownRecord> | undefined;

  constructor(kind: RecordKind, cluster: Cluster, options: StorageOptions, known?: Map<string, KnownRecord>) {
    this.#kind = kind;
    this.#cluster = cluster;
    this.#options = options;
    this.#known = known;
  }

  underLock(cluster: Cluster): ReleaseStorage {
    return new KubernetesStorage(this.#kind, cluster, this.#options, new Map());
  }

  checkSize(release: Release): Promise<void> {
    return checkStorable(release);
  }

  async create(release: Release, { dryRun }: TrialOption = {}): Promise<void> {
    const object = await recordObject(this.#kind, this.#options.namespace, release, { createdAt: this.#seconds() });
    try {
      const created = await this.#cluster.create(object, { metadataOnly: true, dryRun });
      if (!dryRun) this.#remember(created, object);
    } catch (cause) {
      throw isApiError(cause, 'AlreadyExists') ? releaseExists(release) : withStep('create: failed to create', cause);
    }
  }

  async update(release: Release, { dryRun }: TrialOption = {}): Promise<void> {
    const object = await recordObject(this.#kind, this.#options.namespace, release, { modifiedAt: this.#seconds() });
    try {
      const updated = await this.#replace(object, { dryRun });
      if (!dryRun) this.#remember(updated, object);
    } catch (cause) {
      throw isApiError(cause, 'NotFound') ? releaseNotFound(release.name) : withStep('update: failed to update', cause);
    }
  }

  async delete(name: string, version: number, { dryRun }: TrialOption = {}): Promise<void> {
    const id = this.recordId(name, version);
    const remove = (resourceVersion?: string) => this.#cluster.delete(id, { resourceVersion, dryRun });
    if (!(await this.#onCondition(id, remove))) throw releaseNotFound(name);
  }

  #replace(object: KubernetesObject, { dryRun }: TrialOption): Promise<KubernetesObject> {
    const { metadata } = object;
    const id = { apiVersion: 'v1', kind: this.#kind, namespace: this.#options.namespace, name: metadata.name };
    const send = (resourceVersion?: string) =>
      this.#cluster.replace({ ...object, metadata: { ...metadata, resourceVersion } }, { metadataOnly: true, dryRun });
    return this.#onCondition(id, send, object);
  }

  /** Writes what nobody else has written since. Labels and annotations that others put there do not count. */
  async #onCondition<T>(
    id: ResourceId,
    write: (resourceVersion?: string) => Promise<T>,
    wanted?: KubernetesObject,
  ): Promise<T | KubernetesObject> {
    const known = this.#known?.get(id.name);
    if (known === undefined) return write();
    try {
      return await write(known.resourceVersion);
    } catch (error) {
      if (!isApiError(error, 'Conflict')) throw error;
      const live = await this.#cluster.get(id);
      if (live === undefined) throw error;
      const digest = digestOf(live);
      // An earlier attempt of the same write, whose answer was lost.
      if (wanted !== undefined && digest === digestOf(wanted)) return live;
      if (digest !== known.digest) throw error;
      return write(live.metadata.resourceVersion);
    }
  }

  #remember({ metadata }: KubernetesObject, written: KubernetesObject): void {
    const { resourceVersion = '' } = metadata;
    this.#known?.set(metadata.name, { resourceVersion, digest: digestOf(written), isOwn: true });
  }

  /** What the run has written itself stays what it wrote: another's record that it reads there is no news to write over. */
  #learn(object: KubernetesObject): void {
    const { name, resourceVersion = '' } = object.metadata;
    if (this.#known === undefined || this.#known.get(name)?.isOwn) return;
    this.#known.set(name, { resourceVersion, digest: digestOf(object), isOwn: false });
  }

  async get(name: string, version: number): Promise<Release | undefined> {
    const step = `get: failed to get ${JSON.stringify(recordName(name, version))}`;
    const object = await this.#cluster.get(this.recordId(name, version)).catch((cause) => {
      throw withStep(step, cause);
    });
    if (object === undefined) return undefined;
    this.#learn(object);
    return releaseOf(object, { keepsIntegers: this.#options.keepsIntegers });
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

  /** Errors: `invalid-release-name`: a comma in it would ask for other labels. */
  #queryOf(name: string): ListOptions {
    checkNameAsked(name);
    return { namespace: this.#options.namespace, labelSelector: `name=${name},owner=helm` };
  }

  /** Page by page; of a page, no more than a record at a time where only little of it is kept. */
  async #read(step: string, query: ListOptions, { newestOnly, isBrief }: ReadOptions): Promise<readonly Release[]> {
    const found = new Map<string, { readonly version: number; readonly release: Release }>();
    const take = async (object: KubernetesObject): Promise<void> => {
      const version = versionOf(object);
      const key = newestOnly === true ? releaseKey(object) : `${releaseKey(object)} ${object.metadata.name}`;
      if ((found.get(key)?.version ?? -1) > version) return;
      this.#learn(object);
      for (const release of await this.#readable(object, isBrief)) found.set(key, { version, release });
    };
    try {
      for await (const page of this.#cluster.pages('v1', this.#kind, query)) {
        const wanted = newestOnly === true ? newestRecords(page) : page;
        if (isBrief === true) for (const object of wanted) await take(object);
        else await Promise.all(wanted.map(take));
      }
    } catch (cause) {
      throw withStep(step, cause);
    }
    return [...found.values()].map(({ release }) => release);
  }

  async #readable(object: KubernetesObject, isBrief: boolean | undefined): Promise<readonly Release[]> {
    try {
      return [await releaseOf(object, { isBrief, keepsIntegers: this.#options.keepsIntegers })];
    } catch {
      // As Helm does: a record that cannot be read is left out of what is listed.
      return [];
    }
  }

  recordId(name: string, version: number): ResourceId {
    return { apiVersion: 'v1', kind: this.#kind, namespace: this.#options.namespace, name: recordName(name, version) };
  }

  #seconds(): string {
    return String(Math.floor(this.#options.clock.now().getTime() / 1000));
  }
}

interface KnownRecord {
  readonly resourceVersion: string;
  readonly digest: string;
  /** Whether the run wrote it. */
  readonly isOwn: boolean;
}

/** Of what a record says of its release. */
const digestOf = (record: KubernetesObject): string =>
  createHash('sha256')
    .update((record['data'] as { release?: string } | undefined)?.release ?? '')
    .digest('base64');

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
  if (cause.failure.status === 401) return asFirstFailure(cause);
  return cause.wrapped({ message: `${step}: ${messageOf(cause)}` });
}
