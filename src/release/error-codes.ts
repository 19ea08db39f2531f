export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** The name of a release is not allowed. Use at most 53 lowercase letters, digits, `-` and `.`. */
    'invalid-release-name': { readonly name: string };
    /** A label selector cannot be read. Write the selector like `team=a,tier in (web,db)`. */
    'invalid-selector': { readonly selector: string };
    /** This run could not renew its lock in time. Another run may have taken over the release, so this one stopped changing anything. Look at `tshelm history`, and run the command again when the other run is done. */
    'lock-lost': { readonly release: string; readonly holder: string | undefined };
    /** The release has no deployed revision. Install the release, or roll back to a revision that was deployed. */
    'no-deployed-releases': { readonly release: string };
    /** Another install, upgrade, rollback or uninstall of the release is running and holds its lock. Wait for the other run with --wait-lock; tshelm takes over a dead run after --stale-after. */
    'operation-in-progress': {
      readonly release: string;
      readonly revision?: number;
      readonly status?: string;
      readonly operation?: string;
      readonly holder?: string;
      readonly since?: string | undefined;
    };
    /** Another run recorded this revision of the release at the same moment; an install of a name that is taken fails with name-in-use. Look at `tshelm history NAME`, and try again. */
    'release-exists': { readonly release: string; readonly revision: number };
    /** There is no release with this name in the namespace. Find the release with `tshelm list -A`, and pass its namespace: -n, or `namespace` in the library. */
    'release-not-found': { readonly release: string };
    /** The record of the release does not fit into a Secret. Exclude files of the chart with .helmignore, or use --trim-record. */
    'release-too-large': {
      readonly bytes: number;
      readonly limit: number;
      readonly parts: readonly { readonly name: string; readonly bytes: number }[];
    };
    /** --labels names a label that Helm reserves. Choose other names. */
    'reserved-label': { readonly reserved: readonly string[] };
    /** HELM_DRIVER names a storage driver that does not exist. Set HELM_DRIVER to secret, configmap or memory. */
    'unknown-driver': { readonly driver: string };
  }
}
