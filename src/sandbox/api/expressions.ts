import type { Json } from '../../support/json.ts';
import { type Kind, storageKey } from '../kinds/kind.ts';
import { hasRules } from '../schema/rules.ts';
import type { Store } from '../store/store.ts';

/** What evaluates the CEL of admission policies and of CRDs. */
export interface Evaluators {
  readonly policies: typeof import('./admission/policies.ts');
  readonly rules: typeof import('../validation/rules.ts');
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
    const [policies, rules] = await Promise.all([import('./admission/policies.ts'), import('../validation/rules.ts')]);
    this.#loaded = { policies, rules };
  }
}

const hasExpressions = (key: string, object: Json): boolean =>
  key === 'admissionregistration.k8s.io/validatingadmissionpolicies' ||
  (key === 'apiextensions.k8s.io/customresourcedefinitions' && hasRules(object));
