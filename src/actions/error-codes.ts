export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A flag is unknown, or its value is not allowed. `tshelm COMMAND --help` lists the flags. */
    'bad-flag': NoDetails;
    /** The change that `diff` shows would be refused by the API server. Fix the objects that the diff marks as refused. */
    'diff-refused': { readonly release?: string };
    /** `drift --fix` has left objects as they are: they belong to another owner, cannot be compared, or cannot be restored. Decide about each object that the message names: `tshelm adopt` makes an object part of the release. */
    'drift-remains': {
      readonly release: string;
      readonly revision: number;
      readonly objects: readonly string[];
    };
    /** A chart could not be packed. Check --destination and the chart, as the message says. */
    'package-failed': NoDetails;
    /** The release is uninstalled, and its history was kept. To remove the history, run `tshelm uninstall NAME` without --keep-history. */
    'already-uninstalled': { readonly release: string };
    /** `tshelm health` found no such kind or object. Check the name, the namespace and the cluster. */
    'health-target-not-found': { readonly target: string };
    /** An install failed, and the objects it had created were removed. Fix the cause that the message gives, and install again. */
    'install-rolled-back': { readonly release: string };
    /** The command cannot use these arguments or flags. Correct the arguments or flags that the message names. */
    'invalid-arguments': NoDetails;
    /** A release with this name already exists. Upgrade the release, choose another name, or use --replace. */
    'name-in-use': { readonly release: string; readonly status: string };
    /** An upgrade failed, and there is no earlier good revision to roll back to. Fix the cause that the message gives, and upgrade again. */
    'no-revision-to-roll-back-to': { readonly release: string };
    /** A file of --crds or --policies cannot be read. Check the path and the permissions of the file. */
    'objects-unreadable': { readonly file: string };
    /** A template would be written outside --output-dir. Remove the symbolic link that points outside the directory. */
    'output-outside': { readonly file: string; readonly directory: string; readonly target: string };
    /** A file below --output-dir cannot be written. Make the folder writable, or choose another one. */
    'output-unwritable': { readonly path: string };
    /** The objects are gone, but the records could not be deleted. Run `tshelm uninstall` again. */
    'purge-failed': NoDetails;
    /** The release has no such revision. Choose a revision that `tshelm history NAME` lists. */
    'revision-not-found': {
      readonly release: string;
      readonly revision: number;
      readonly revisions: readonly number[];
    };
    /** --show-only names a template that rendered nothing. `tshelm template` names the source of each object. */
    'template-not-found': { readonly template: string; readonly output?: string };
    /** An uninstall finished, but parts of it failed. Fix what the message names, and run the uninstall again. */
    'uninstall-failed': { readonly release: string; readonly errors: readonly string[] };
    /** An upgrade failed, and the release is back at its last good revision. Fix the cause that the message gives, and upgrade again. */
    'upgrade-rolled-back': { readonly release: string; readonly revision: number };
  }

  interface AddedDetails {
    /** What was rendered, for standard output. */
    readonly output: string;
  }
}
