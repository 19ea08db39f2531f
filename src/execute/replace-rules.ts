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
  /** A new release has no option that names objects. */
  readonly isInstall: boolean;
}

export const isImmutableChoice = (text: unknown): text is OnImmutable =>
  immutableChoices.some((choice) => choice === text);
