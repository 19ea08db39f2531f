import { isApiError } from '../../cluster/api-error.ts';
import type { ApiFailure, Cluster, ResourceMapping } from '../../cluster/types.ts';
import type { Target } from '../../execute/apply/targets.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { type Judgement, LocalApi } from '../../sandbox/index.ts';

/** An API server as far as a check asks it. */
export interface AskedServer {
  mapping: Cluster['mapping'];
  resources: Cluster['resources'];
  /** Its settings are Kubernetes' defaults: a cluster may have others. */
  readonly hasDefaults?: boolean | undefined;
  /** What it answers to an object; undefined where it accepts it. */
  send(object: KubernetesObject): Promise<ApiFailure | undefined>;
}

/** A cluster: nothing is stored. */
export const askedCluster = (cluster: Cluster, signal: AbortSignal | undefined): AskedServer => ({
  mapping: (apiVersion, kind, options) => cluster.mapping(apiVersion, kind, options),
  resources: (options) => cluster.resources(options),
  async send(object) {
    const options = {
      fieldManager: 'helm',
      fieldValidation: 'Strict',
      dryRun: true,
      metadataOnly: true,
      signal,
    } as const;
    try {
      await (object.metadata.name === '' ? cluster.create(object, options) : cluster.apply(object, options));
      return undefined;
    } catch (error) {
      if (isApiError(error)) return error.failure;
      throw error;
    }
  },
});

/** The API of the sandbox in this process. What is accepted is kept: later objects may need it. */
export class OwnServer implements AskedServer {
  readonly hasDefaults = true;
  readonly #api: LocalApi;

  /** `comparesRevisions`: objects of another revision are sent before. */
  constructor({
    comparesRevisions,
    minor,
  }: { readonly comparesRevisions: boolean; readonly minor?: number | undefined }) {
    this.#api = new LocalApi({ keepsManagers: comparesRevisions, minor });
  }

  async mapping(apiVersion: string, kind: string): Promise<ResourceMapping | undefined> {
    return this.#api.kind(apiVersion, kind);
  }

  async resources(): Promise<readonly ResourceMapping[]> {
    return this.#api.kinds();
  }

  async send(
    object: KubernetesObject,
    fieldValidation: 'Strict' | 'Ignore' = 'Strict',
  ): Promise<ApiFailure | undefined> {
    const kind = this.#api.kind(object.apiVersion, object.kind);
    if (kind === undefined) return undefined;
    const status = await this.#api.apply(kind, object, { fieldManager: 'helm', fieldValidation, force: true });
    return status === undefined ? undefined : failureOf(status as unknown as Status);
  }

  /** Objects that are there already; one that is refused is not. */
  async sendAll(objects: readonly KubernetesObject[]): Promise<void> {
    for (const object of objects) await this.send(object, 'Ignore');
  }

  /** What is there of the objects. */
  storedOf(targets: readonly Target[]): ReadonlyMap<Target, Stored> {
    const pairs = targets.map((target) => [target, this.#stored(target.object)] as const);
    return new Map(pairs.flatMap(([target, stored]) => (stored === undefined ? [] : [[target, stored]])));
  }

  /** What policies say of an object as it is stored; nothing of one that was refused. `old`: what it was before. */
  judgements(object: KubernetesObject, old: Stored | undefined): readonly Judgement[] {
    const kind = this.#api.kind(object.apiVersion, object.kind);
    const stored = this.#stored(object);
    return kind === undefined || stored === undefined ? [] : this.#api.judgements(kind, stored, old);
  }

  #stored({ apiVersion, kind: name, metadata }: KubernetesObject): Stored | undefined {
    const kind = this.#api.kind(apiVersion, name);
    return kind && this.#api.stored(kind, metadata.namespace, metadata.name);
  }
}

/** An object as the API in this process keeps it. */
export type Stored = NonNullable<ReturnType<LocalApi['stored']>>;

/** Kubernetes' Status, as the sandbox makes it. */
interface Status {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: { readonly kind?: string; readonly causes?: ApiFailure['causes'] };
}

const failureOf = ({ code, reason = 'Unknown', message, details }: Status): ApiFailure => ({
  status: code,
  reason,
  message,
  about: details?.kind,
  causes: details?.causes ?? [],
  method: 'PATCH',
  path: '',
});
