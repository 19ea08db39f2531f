import type { ResourceId } from '../manifest/types.ts';

/** What may be said of an object that cannot be changed in place: `tshelm.dev/on-immutable`, and `onImmutable` of a release. */
export const immutableChoices = ['replace', 'orphan', 'fail'] as const;
export type OnImmutable = (typeof immutableChoices)[number];

/** Which objects may be deleted and created again. */
export interface ReplaceRules {
  /** `Deployment/web`, `shop/Deployment/web`: those that the run names. */
  readonly named: readonly string[];
  /** By `Kind/name`, `Kind/*` or `*`. */
  readonly onImmutable: Readonly<Record<string, OnImmutable>>;
  readonly allowDataLoss: boolean;
  /** Objects of other releases are taken over. */
  readonly takesOwnership: boolean;
  /** A failed change is undone: what it named is replaced only where that is needed. */
  readonly isUndoing: boolean;
  /** The user can name objects: not of a new release, nor of a stack. */
  readonly canName: boolean;
}

export const isImmutableChoice = (text: unknown): text is OnImmutable =>
  immutableChoices.some((choice) => choice === text);

/** What the rules say of an object or of its kind. */
export const ownRule = (
  { kind, name }: Pick<ResourceId, 'kind' | 'name'>,
  { onImmutable }: Pick<ReplaceRules, 'onImmutable'>,
): OnImmutable | undefined => onImmutable[`${kind}/${name}`] ?? onImmutable[`${kind}/*`];
