import { isJsonObject, type Json } from '../../support/json.ts';
import { type Kind, storageKey } from '../kinds/kind.ts';
import type { Store } from '../store/store.ts';

/** What evaluates the CEL of admission policies and of CRDs. */
export interface Evaluators {
  readonly policies: typeof import('./admission/policies.ts');
}

/** Loads CEL when the first object comes that has expressions; before that nothing is to be evaluated. */
export class Expressions {
  #loaded: Evaluators | undefined;

  get loaded(): Evaluators | undefined {
    return this.#loaded;
  }

  async loadFor(kind: Kind, object: Json): Promise<void> {
    if (this.#loaded === undefined && hasExpressions(storageKey(kind), object)) await this.#load();
  }

  async loadForAll(store: Store): Promise<void> {
    for (const [key, object] of store.everything()) if (hasExpressions(key, object)) return await this.#load();
  }

  async #load(): Promise<void> {
    this.#loaded = { policies: await import('./admission/policies.ts') };
  }
}

const hasExpressions = (key: string, object: Json): boolean =>
  key === 'admissionregistration.k8s.io/validatingadmissionpolicies' ||
  (key === 'apiextensions.k8s.io/customresourcedefinitions' && hasKey(object, 'x-kubernetes-validations'));

/** Whether the key is anywhere in the value. */
function hasKey(value: Json | undefined, key: string): boolean {
  if (Array.isArray(value)) return value.some((item) => hasKey(item, key));
  return isJsonObject(value) && (key in value || Object.values(value).some((item) => hasKey(item, key)));
}
