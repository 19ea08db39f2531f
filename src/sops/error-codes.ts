export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A file that sops encrypted cannot be decrypted with the keys at hand. Set SOPS_AGE_KEY_FILE, or put the program `sops` with access to the key on the PATH. */
    'sops-key': { readonly path: string };
    /** A file that sops encrypted was changed afterwards, or cannot be read. Restore the original file, or edit the file with `sops edit`. */
    'sops-invalid': { readonly path: string };
    /** `tshelm secrets` could not run the program sops on a file, or sops failed. Fix the error of sops that the message quotes; if sops is missing, install it from https://getsops.io. */
    'sops-failed': { readonly path: string };
  }
}
