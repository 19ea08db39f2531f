export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** Another process is using the folder of the sandbox. End that process, or choose another folder with --sandbox-dir, which has none of these releases. */
    'sandbox-locked': { readonly directory: string };
    /** Another program is listening on the port of the sandbox. Choose another one with --port, or 0 for a free one. */
    'sandbox-port-taken': { readonly port: number };
    /** The sandbox does not know this version of Kubernetes. Choose a version that the message names. */
    'sandbox-version-unknown': { readonly kubeVersion: string };
    /** The state file of the sandbox cannot be read. Run `tshelm sandbox reset`: the sandbox then starts empty. */
    'sandbox-state-broken': { readonly file: string; readonly line?: number };
    /** The state of the sandbox cannot be written. Make the folder writable, or choose another one with --sandbox-dir. */
    'sandbox-state-unwritable': { readonly directory: string } | { readonly file: string };
  }
}
