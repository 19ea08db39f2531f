export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A reference to a secret (`ref+vault://…`), or an encrypted file, cannot be read. Install the program that the message names, or fix the error that the message quotes. */
    'secret-failed': { readonly reference: string };
  }

  interface AddedDetails {
    /** The keys of the value that the failure is about. */
    readonly keys: readonly string[];
  }
}
