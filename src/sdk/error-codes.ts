export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** The `Tshelm` was closed: before the call, or while it ran. Close a `Tshelm` only when its calls have ended, and create a new one for later calls. */
    closed: NoDetails;
    /** The library needs a cluster, but none was given. Pass `cluster` to `new Tshelm()`. */
    'no-cluster': NoDetails;
    /** A value given to the library has a type that charts cannot use. Pass plain data. */
    'value-unsupported': { readonly path: string };
  }
}
