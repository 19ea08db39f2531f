export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** The `Tshelm` was closed: before the call, or while it ran. Close it when its calls are done, and make a new one for others. */
    closed: NoDetails;
    /** The library needs a cluster, but none was given. Pass `cluster` to `new Tshelm()`. */
    'no-cluster': NoDetails;
    /** A value given to the library has a type that charts cannot use. Pass plain data. */
    'value-unsupported': { readonly path: string };
  }
}
