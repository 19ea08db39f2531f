import type { OutdatedPart } from './saved-plan/outdated.ts';

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A file is no saved plan, or was changed since it was written. Make the plan again with `tshelm plan … --out FILE`. */
    'plan-unusable': { readonly path: string };
    /** A saved plan is older than it may become. Make it again; --expires-in sets how long it may be kept. */
    'plan-expired': { readonly expiresAt: string };
    /** A saved plan was made by another version of tshelm. Apply it with the version that the message names, or make it again. */
    'plan-of-other-version': { readonly version: string };
    /** A saved plan was made for another cluster, or this one cannot be recognized. Choose the cluster with --kube-context. */
    'plan-of-other-cluster': { readonly release: string };
    /** Something that a saved plan was made from has changed since. Make the plan again, or accept an object with --allow. */
    'plan-outdated': { readonly release: string; readonly changes: readonly OutdatedPart[] };
    /** A saved plan cannot be encrypted or decrypted. Give the identity or passphrase that fits the recipients it was made for. */
    'plan-key': NoDetails;
    /** helmfile.yaml, or a file that it names, cannot be read or says something that makes no sense. The message names the file and the line. */
    'stack-invalid': { readonly file?: string };
    /** The file uses something of helmfile that tshelm does not have. The message names it; docs/stack.md says what to use in its place. */
    'stack-unsupported': { readonly file?: string };
    /** No release matches the selectors, or the environment is nowhere defined. Check -l and -e. */
    'stack-empty': NoDetails;
    /** Some releases of the stack failed, or were left out because one that they need failed. The message says why each did; mend it, and run the command again. */
    'stack-failed': { readonly failed: readonly string[]; readonly skipped: readonly string[] };
    /** A hook of helmfile.yaml failed. The message has what it printed. */
    'stack-hook-failed': { readonly hook: string };
    /** A patch of a release does not apply, or nothing that the chart renders fits it. The message names the patch and the object. */
    'stack-patch-failed': { readonly release: string };
    /** The program kustomize cannot build the folder that a release has as its chart, or is missing. The message has what it said. */
    'stack-kustomize-failed': { readonly release: string };
    /** A secret of helmfile.yaml cannot be read. The message says which program is missing, or what it said. */
    'stack-secret-failed': { readonly reference: string };
  }
}
