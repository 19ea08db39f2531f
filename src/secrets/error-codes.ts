export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A reference to a secret (`ref+vault://…`), or an encrypted file, cannot be read. The message says which program is missing, or contains its output. */
    'secret-failed': { readonly reference: string };
  }

  interface AddedDetails {
    /** The keys of the value that the failure is about. */
    readonly keys: readonly string[];
  }
}
