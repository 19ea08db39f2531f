export {};

declare module '../support/errors.ts' {
  interface AddedDetails {
    /** What Helm's errors of this command begin with: `INSTALLATION FAILED`. */
    readonly command: string;
  }

  interface ErrorDetails {
    /** Some repositories could not be reached. Check the ones that the message names. */
    'update-failed': NoDetails;
    /** A well-known repository that no longer exists. Use the one that the message names, or pass --allow-deprecated-repos. */
    'repository-deleted': NoDetails;
    /** A password is needed, but standard input is not a terminal. Give it with --password-stdin or a file. */
    'no-terminal': NoDetails;
    /** A tshelm.yaml with defaults of flags cannot be used. The message names the line; correct it. `tshelm config` shows all defaults. */
    'defaults-invalid': { readonly file: string };
    /** A search that must find something found nothing. Search for other words. */
    'no-results': NoDetails;
    /** No repository has been added. Run `tshelm repo add NAME URL`. */
    'no-repositories': NoDetails;
    /** An argument cannot be read, or one is missing. The message says which; `tshelm COMMAND --help` shows the usage. */
    'bad-arguments': NoDetails;
    /** The value of --filter is not a regular expression. Use Go's syntax. */
    'bad-filter': NoDetails;
    /** The file of --write-kubeconfig cannot be written. Choose another file. */
    'kubeconfig-unwritable': { readonly file: string };
    /** A chart has mistakes. Fix everything listed as ERROR, and with --strict also WARNING. */
    'lint-failed': NoDetails;
    /** The file of findings to ignore (--ignore-file, .tshelmcheck) cannot be read. Correct the line that the message names. */
    'ignore-file-invalid': { readonly file: string };
    /** The rehearsed change failed. The message says what failed in it; change the chart or the --assume values. */
    'rehearsal-failed': NoDetails;
    /** The file of --report cannot be written; nothing was changed. Choose another file. */
    'report-not-written': { readonly path: string };
    /** There is no command with this name. `tshelm --help` lists the commands. */
    'unknown-command': NoDetails;
    /** Too few or too many arguments. The message shows the usage. */
    'wrong-arguments': NoDetails;
  }
}
