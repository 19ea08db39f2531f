import { isJsonObject, type Json, type JsonObject } from '../support/json.ts';
import { createObject } from './api/create.ts';
import type { Environment, FieldValidation } from './api/environment.ts';
import { Expressions } from './api/expressions.ts';
import { patchObject } from './api/patch.ts';
import { systemClock } from './clock.ts';
import { ensureFirstObjects } from './controllers/first-objects.ts';
import { type Judgement, judgementsOf } from './judge.ts';
import { type Kind, storageKey } from './kinds/kind.ts';
import { KindRegistry } from './kinds/registry.ts';
import type { Resource } from './resource.ts';
import { StatusError } from './status.ts';
import { Store } from './store/store.ts';

export interface LocalWriteOptions {
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force: boolean;
}

/**
 * The sandbox's API as functions, without a server and without controllers: it tells what would be accepted. Kinds of CRDs
 * are served as soon as these are stored, and namespaces have their ServiceAccount.
 */
export class LocalApi {
  readonly #environment: Environment;

  /**
   * Without managers nobody knows who wrote which field, so an object cannot be applied a second time as a server does it.
   * `minor`: the version of Kubernetes, by the number after `1.`.
   */
  constructor({ keepsManagers, minor }: { readonly keepsManagers: boolean; readonly minor?: number | undefined }) {
    this.#environment = {
      store: new Store(1),
      kinds: new KindRegistry(minor),
      clock: systemClock,
      expressions: new Expressions(),
      keepsManagers,
      enforcesPolicies: false,
    };
    ensureFirstObjects(this.#environment);
  }

  kinds(): readonly Kind[] {
    return this.#environment.kinds.all();
  }

  kind(apiVersion: string, kind: string): Kind | undefined {
    return this.#environment.kinds.of(apiVersion, kind);
  }

  /** Server-side apply of an object of a kind that is served; of one without a name, create. The Status of a refusal. */
  async apply(kind: Kind, sent: object, options: LocalWriteOptions): Promise<JsonObject | undefined> {
    const body = withoutBigIntegers(sent as Json) as JsonObject;
    await this.#environment.expressions.loadFor(kind, body);
    const { name = '', namespace } = (isJsonObject(body.metadata) ? body.metadata : {}) as Partial<
      Resource['metadata']
    >;
    const where = { kind, namespace: kind.namespaced ? namespace : undefined };
    try {
      const stored =
        name === ''
          ? createObject(this.#environment, where, body, options)
          : patchObject(this.#environment, { ...where, name }, { type: 'apply', body }, options).object;
      this.#follow(kind, stored);
      return undefined;
    } catch (error) {
      if (error instanceof StatusError) return error.toStatus();
      throw error;
    }
  }

  /** What is stored of an object. */
  stored(kind: Kind, namespace: string | undefined, name: string): Resource | undefined {
    return this.#environment.store.get(storageKey(kind), kind.namespaced ? namespace : undefined, name);
  }

  /** What the policies that are stored say of a stored object; they refuse nothing here. `old`: what it was before. */
  judgements(kind: Kind, object: Resource, old: Resource | undefined): readonly Judgement[] {
    return judgementsOf(this.#environment, { kind, object, old });
  }

  /** What controllers do before the next request of a client. */
  #follow(kind: Kind, stored: Resource): void {
    const { store, kinds } = this.#environment;
    if (storageKey(kind) === 'apiextensions.k8s.io/customresourcedefinitions') kinds.serveCustom(stored);
    if (storageKey(kind) === '/namespaces') {
      const metadata = { name: 'default', namespace: stored.metadata.name };
      store.put('/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata } as Resource);
    }
  }
}

/** JSON on its way over the network: a server reads whole numbers of any size as numbers. The same value where there are none. */
const withoutBigIntegers = (value: Json | bigint): Json =>
  hasBigInteger(value)
    ? JSON.parse(JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? Number(item) : item)))
    : (value as Json);

const hasBigInteger = (value: Json | bigint | undefined): boolean =>
  typeof value === 'bigint' ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasBigInteger));
