/** Functions that expressions can call, by cel-js's signatures. */
export interface Library {
  readonly types?: Readonly<Record<string, new (...values: never[]) => object>>;
  /**
   * What comes before the dot of `sets.contains(…)`: its functions have the class as the receiver, by the name that
   * their signatures use, since a build renames classes.
   */
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, new () => object>>>>;
  readonly functions?: Readonly<Record<string, (...values: never[]) => unknown>>;
  readonly operators?: Readonly<Record<string, (a: never, b: never) => boolean>>;
}
