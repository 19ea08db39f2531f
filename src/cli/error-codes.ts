export {};

declare module '../support/errors.ts' {
  interface AddedDetails {
    /** What Helm's errors of this command begin with: `INSTALLATION FAILED`. */
    readonly command: string;
  }

  interface ErrorDetails {
    /** Some repositories could not be reached. Check the URL of each repository that the message names. */
    'update-failed': NoDetails;
    /** This well-known repository no longer exists. Use the repository that the message names, or pass --allow-deprecated-repos. */
    'repository-deleted': NoDetails;
    /** A password is needed, but standard input is not a terminal. Pass the password with --password-stdin or in a file. */
    'no-terminal': NoDetails;
    /** A tshelm.yaml with defaults of flags cannot be used. Correct the line that the message names; `tshelm config` shows all defaults. */
    'defaults-invalid': { readonly file: string };
    /** The search found nothing. Search for other words. */
    'no-results': NoDetails;
    /** No repository has been added. Run `tshelm repo add NAME URL`. */
    'no-repositories': NoDetails;
    /** An argument is invalid or missing. Correct the argument that the message names; `tshelm COMMAND --help` shows the usage. */
    'bad-arguments': NoDetails;
    /** The value of --filter is not a regular expression. Use Go's syntax. */
    'bad-filter': NoDetails;
    /** The file of --write-kubeconfig cannot be written. Choose another file. */
    'kubeconfig-unwritable': { readonly file: string };
    /** A chart has mistakes. Fix everything listed as ERROR, and with --strict also WARNING. */
    'lint-failed': NoDetails;
    /** The file of findings to ignore (--ignore-file, .tshelmcheck) cannot be read. Correct the line that the message names. */
    'ignore-file-invalid': { readonly file: string };
    /** The rehearsed change failed. Change what the message names: the chart, or the values of --assume. */
    'rehearsal-failed': NoDetails;
    /** The file of --report cannot be written; nothing was changed. Choose another file. */
    'report-not-written': { readonly path: string };
    /** There is no command with this name. `tshelm --help` lists the commands. */
    'unknown-command': NoDetails;
    /** Too few or too many arguments. Follow the usage that the message shows. */
    'wrong-arguments': NoDetails;
  }
}
