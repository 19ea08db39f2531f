import type { OutdatedPart } from './saved-plan/outdated.ts';

declare module '../support/errors.ts' {
  interface AddedDetails {
    /** Of the failure of one release: the absolute path of its chart's folder. */
    readonly chartFolder: string;
  }
  interface ErrorDetails {
    /** The change that `diff` shows would be refused by the API server. Fix what it marks as refused. */
    'diff-refused': { readonly release?: string };
    /** A file is not a saved plan, or was changed after it was written. Make the plan again with `tshelm plan … --out FILE`. */
    'plan-unusable': { readonly path: string };
    /** A saved plan has expired. Make it again; --expires-in sets how long it can be applied. */
    'plan-expired': { readonly expiresAt: string };
    /** A saved plan was made by another version of tshelm. Apply it with the version that the message names, or make it again. */
    'plan-of-other-version': { readonly version: string };
    /** A saved plan was made for another cluster, or this one cannot be identified. Choose the cluster with --kube-context. */
    'plan-of-other-cluster': { readonly release: string };
    /** Something that a saved plan is based on has changed since; `release` is '' where that is the state files. Make the plan again, or accept an object with --allow. */
    'plan-outdated': { readonly release: string; readonly changes: readonly OutdatedPart[] };
    /** A saved plan cannot be encrypted or decrypted. Give the identity or passphrase that it was encrypted for. */
    'plan-key': NoDetails;
    /** A saved plan cannot be signed, is not signed, or is not signed by the given key. Do not apply it unless you know where it comes from; sign it with `--sign-key`. */
    'plan-signature': NoDetails;
    /** helmfile.yaml, or a file that it names, cannot be read or is not valid. The message names the file and the line. */
    'stack-invalid': { readonly file?: string };
    /** The file uses a feature of helmfile that tshelm does not have. The message names it; docs/stack.md says what to use instead. */
    'stack-unsupported': { readonly file?: string };
    /**
     * No release matches the selectors, or the environment is not defined. The exit code is 3, as in helmfile. Check -l
     * and -e, or use --allow-no-matching-release.
     */
    'stack-empty': NoDetails;
    /** Some releases of the stack failed, or were left out because a release that they need failed. Fix what the message says about each, and run the command again. */
    'stack-failed': {
      readonly failed: readonly string[];
      readonly skipped: readonly string[];
      readonly errors: Readonly<Record<string, unknown>>;
    };
    /** A hook of helmfile.yaml failed. The message contains its output. */
    'stack-hook-failed': { readonly hook: string };
    /** The state files of a stack start a program, which the library does only where it is allowed. Pass `programs: true` to `tshelm.stack()`, or leave hooks and `exec` out. */
    'stack-programs': { readonly program: string };
    /** A file of the stack runs a program, or names a file outside of the working directory, and `--untrusted` refuses both. If you trust who wrote it, leave `--untrusted` out, or use `--untrusted=false`. */
    'stack-untrusted': NoDetails;
    /** A patch of a release does not apply, or no rendered object matches it. The message names the patch and the object. */
    'stack-patch-failed': { readonly release: string };
    /** The program kustomize is missing, or cannot build the folder that a release uses as its chart. The message contains its output. */
    'stack-kustomize-failed': { readonly release: string };
    /** A secret of helmfile.yaml cannot be read. The message says which program is missing, or contains its output. */
    'stack-secret-failed': { readonly reference: string };
  }
}
