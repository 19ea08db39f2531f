import type { Clock } from '../clock.ts';
import type { Kind } from '../kinds/kind.ts';
import type { KindRegistry } from '../kinds/registry.ts';
import type { Resource } from '../resource.ts';
import type { Store } from '../store/store.ts';
import type { CelRules } from '../validation/validate.ts';
import type { Expressions } from './expressions.ts';

/** What the verbs of the API work on. */
export interface Environment {
  readonly store: Store;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly expressions: Expressions;
  /** What a rehearsal makes of the sandbox's annotations; by default they count as they are. */
  readonly annotation?: AnnotationRule | undefined;
  /** Whether new objects note who wrote which field. Default true: it costs half the time of an apply. */
  readonly keepsManagers?: boolean | undefined;
  /** Whether ValidatingAdmissionPolicies refuse writes. Default true. */
  readonly enforcesPolicies?: boolean | undefined;
}

/**
 * The value of an annotation of the sandbox (`ready-after`, `fate`, …) for an object: `chain` is the object and what
 * controls it, up to the workload; `annotated` what the nearest of them that has the annotation says.
 */
export type AnnotationRule = (
  word: string,
  chain: readonly Resource[],
  annotated: string | undefined,
) => string | undefined;

/** The objects of a kind: those of one namespace, or all of them where it is undefined. */
export interface Collection {
  readonly kind: Kind;
  readonly namespace: string | undefined;
}

/** Where an object is: its kind, its namespace and its name. */
export interface ObjectPath extends Collection {
  readonly name: string;
}

/** How a write was asked for. */
export interface WriteOptions {
  readonly fieldManager: string;
  /** Who asks; by default a controller. */
  readonly user?: string | undefined;
  readonly dryRun?: boolean;
  readonly fieldValidation?: FieldValidation;
  readonly force?: boolean;
  /** '' for the object itself. */
  readonly subresource?: string;
  /** Told about what the API server would put into a Warning header. */
  readonly warn?: (text: string) => void;
}

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** How the rules of CRDs are asked for a write. */
export const checkOf = ({ expressions }: Environment, { warn }: WriteOptions): CelRules => ({
  rules: expressions.loaded?.rules,
  warn,
});
