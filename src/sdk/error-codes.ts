export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** The library was asked for something of a cluster, and was given none. Give `cluster` to `new Tshelm()`. */
    'no-cluster': NoDetails;
    /** A value that was given to the library is of a type that charts do not know. Give plain data. */
    'value-unsupported': { readonly path: string };
  }
}
