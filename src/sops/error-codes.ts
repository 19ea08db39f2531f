export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A file that sops encrypted cannot be decrypted with the keys at hand. Set SOPS_AGE_KEY_FILE, or put the program `sops` with access to the key on the PATH. */
    'sops-key': { readonly path: string };
    /** A file that sops encrypted was changed since, or cannot be read. Take it from where it was encrypted, or edit it with `sops edit`. */
    'sops-invalid': { readonly path: string };
    /** `tshelm secrets` could not run the program sops on a file, or sops failed. The message contains its output; where sops is missing, install it from https://getsops.io. */
    'sops-failed': { readonly path: string };
  }
}
