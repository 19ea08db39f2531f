export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** Some repositories could not be asked. Check the ones that the message names. */
    'update-failed': NoDetails;
    /** A well-known repository that exists no more. Take the one that the message names, or use --allow-deprecated-repos. */
    'repository-deleted': NoDetails;
    /** A password is asked for, and standard input is no terminal. Give it with --password-stdin or a file. */
    'no-terminal': NoDetails;
    /** A search that must find something found nothing. Search for other words. */
    'no-results': NoDetails;
    /** No repository has been added. Run `tshelm repo add NAME URL`. */
    'no-repositories': NoDetails;
    /** An argument cannot be read, or one is missing. The message says which; `tshelm COMMAND --help` shows the usage. */
    'bad-arguments': NoDetails;
    /** The text of --filter is no regular expression. Write it as Go takes it. */
    'bad-filter': NoDetails;
    /** The change that `diff` shows would be refused by the API server. Mend what it marks as refused. */
    'diff-refused': { readonly release?: string };
    /** The file of --write-kubeconfig cannot be written. Choose another file. */
    'kubeconfig-unwritable': { readonly file: string };
    /** A chart has mistakes. Mend what is listed as ERROR, with --strict also as WARNING. */
    'lint-failed': NoDetails;
    /** The rehearsed change failed. The message says what failed in it; change the chart, or what --assume says. */
    'rehearsal-failed': NoDetails;
    /** The file of --report cannot be written; nothing was changed. Choose another file. */
    'report-not-written': { readonly path: string };
    /** There is no command of this name. `tshelm --help` lists the commands. */
    'unknown-command': NoDetails;
    /** Too few or too many arguments. The message shows the usage. */
    'wrong-arguments': NoDetails;
  }
}
