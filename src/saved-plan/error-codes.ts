import type { OutdatedPart } from './outdated.ts';

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A file is not a saved plan, or was changed after it was written. Make the plan again with `tshelm plan … --out FILE`. */
    'plan-unusable': { readonly path: string };
    /** The file of a plan cannot be written. Create its folder, or choose another file. */
    'plan-unwritable': { readonly path: string };
    /** A saved plan has expired. Make the plan again; --expires-in sets how long the plan can be applied. */
    'plan-expired': { readonly expiresAt: string };
    /** A saved plan was made by another version of tshelm. Apply the plan with the version that the message names, or make the plan again. */
    'plan-of-other-version': { readonly version: string };
    /** A saved plan was made for another cluster, or this one cannot be identified. Choose the cluster with --kube-context. */
    'plan-of-other-cluster': { readonly release: string };
    /** Something that a saved plan is based on has changed since (`release` is '' if the state files of a stack have changed). Make the plan again, or accept an object with --allow. */
    'plan-outdated': { readonly release: string; readonly changes: readonly OutdatedPart[] };
    /** A saved plan cannot be encrypted or decrypted. Pass the identity or the passphrase that the plan was encrypted for. */
    'plan-key': NoDetails;
    /** A saved plan cannot be signed, is not signed, or is not signed by the given key. Do not apply the plan unless you know where it comes from; sign a plan with --sign-key. */
    'plan-signature': NoDetails;
    /** A saved plan is not released, or not by a key that may release plans. Review the plan with `tshelm show-plan FILE`, then release the plan with `tshelm plan release FILE --sign-key KEY`. */
    'plan-unreleased': { readonly path: string };
  }
}
