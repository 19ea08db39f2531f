export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** The signature of a chart is missing or does not match. Do not use the chart, or check --keyring. */
    'verification-failed': NoDetails;
    /** The trust policy does not allow a chart or plugin: it is not signed, or another signer signed it. Use another chart or plugin, or add the signer to the file of --trust-policy. */
    'trust-refused': { readonly artifact: string; readonly policy: string };
    /** A trust policy cannot be read. Correct the lines that the message names; docs/trust.schema.json describes the file. */
    'trust-policy-invalid': { readonly mistakes: readonly string[] };
    /** A chart could not be signed. Check --key, --keyring and the passphrase. */
    'signing-failed': NoDetails;
    /** The repository to add cannot be reached. Check the URL, the network and the credentials. */
    'repository-unreachable': NoDetails;
    /** A repository with this name exists with another URL. Choose another name, or use --force-update. */
    'repository-exists': NoDetails;
    /** Signatures need a package that is not installed. Run `npm install openpgp` beside tshelm. */
    'openpgp-missing': NoDetails;
    /** Chart.lock does not match Chart.yaml. Run `tshelm dependency update`. */
    'lock-out-of-sync': NoDetails;
    /** Chart.lock is a symbolic link, so another file would be overwritten. Replace the link with a file. */
    'lock-is-a-link': { readonly path: string };
    /** The index of a repository cannot be written to the cache. Make the folder of --repository-cache writable. */
    'index-unwritable': NoDetails;
    /** The index of a repository is not valid. Check the URL of the repository. */
    'index-invalid': NoDetails;
    /** The index of a folder of charts cannot be built. Fix the index to merge, or leave out --merge. */
    'index-failed': NoDetails;
    /** The Artifact Hub cannot be reached. Check the network and --endpoint. */
    'hub-unreachable': { readonly url?: string };
    /** Another command is writing the same file. Wait until the other command ends, and try again. */
    'file-locked': { readonly path: string };
    /** No version of a subchart is in the range of Chart.yaml. Run `tshelm repo update`, or correct the range. */
    'dependency-unresolved': { readonly missing: readonly string[] };
    /** A subchart at a `file://` path does not exist. Correct the path in Chart.yaml. */
    'dependency-missing': { readonly folder: string };
    /** A subchart could not be fetched or unpacked. Check the entry of the subchart in Chart.yaml, as the message says. */
    'dependency-failed': NoDetails;
    /** A new chart could not be written. Check the folder that the message names. */
    'create-failed': NoDetails;
    /** The `charts` folder of a chart cannot be used. Make `charts` a folder that you can read and write. */
    'charts-unusable': NoDetails;
    /** A repository cannot have this name. Choose a name without `/`. */
    'bad-repository-name': NoDetails;
    /** SOURCE_DATE_EPOCH is not a time. Set SOURCE_DATE_EPOCH to seconds since 1970, or unset the variable. */
    'bad-epoch': NoDetails;
    /** The value of --version is not a version constraint. Write a constraint such as `1.2.3`, `^1.2` or `>=1.2 <2`. */
    'bad-constraint': NoDetails;
    /** The words of `search repo --regexp` are not a regular expression. Use Go's syntax. */
    'bad-keyword': NoDetails;
    /** A certificate or key for a chart server cannot be used. Check the files of --ca-file, --cert-file and --key-file. */
    'bad-tls': NoDetails;
    /** A chart server refused a download or could not be reached. Check the URL, the network and the credentials; `tshelm repo list` shows the known repositories. */
    'download-failed': { readonly url: string; readonly status?: number; readonly code?: number };
    /** The file with the credentials of registries cannot be read or written. Fix or remove the file that --registry-config names; `tshelm registry login` writes it. */
    'bad-registry-config': NoDetails;
    /** The program that keeps the credentials of registries failed. Run `docker-credential-NAME list` by hand, or remove the program from the file of --registry-config. */
    'credential-helper-failed': { readonly program: string };
    /** A registry has no such chart or version. Check the reference and its version. */
    'not-in-registry': { readonly reference: string };
    /** A registry did not accept the user and password. Check the user, the password and the name of the registry. */
    'registry-login-failed': { readonly registry: string };
    /** The credential of a registry could not be deleted. Check the file of --registry-config, or the program that keeps the credentials. */
    'registry-logout-failed': { readonly registry: string };
    /** A registry refused a request or sent an unusable answer. Check the reference, and log in with `tshelm registry login`. */
    'registry-refused': {
      readonly url?: string;
      readonly status?: number;
      readonly codes?: readonly unknown[];
    };
    /** The index of a repository cannot be fetched or read. Check the URL: tshelm reads its `index.yaml`. */
    'repository-unreadable': { readonly url: string };
    /** The URL of a git repository cannot be used. Write `git+https://HOST/REPOSITORY@PATH?ref=REF`. */
    'bad-git-url': { readonly url: string };
    /** The program git is missing or failed. Install git, or check the URL and your access with `git ls-remote URL`; the message quotes git's error. */
    'git-failed': NoDetails;
    /** A git repository has no such branch, tag or commit. Check `ref` in the URL. */
    'git-ref-not-found': { readonly url: string; readonly ref: string };
    /** There is no chart or file at a path of a git repository. Check `ref`, and the path after `@`. */
    'git-not-found': { readonly url: string; readonly commit: string };
    /** A file of a git repository is in a submodule. Name the repository of the submodule. */
    'git-submodule': { readonly url: string; readonly path: string };
    /** A file of a git repository is kept by Git LFS, which tshelm does not read. Keep charts and values in the repository itself. */
    'git-lfs': { readonly url: string; readonly path: string };
    /** A symbolic link in a git repository points outside the repository, or back to itself. Replace the link with a file. */
    'git-link': { readonly url: string; readonly path: string };
    /** The URL scheme of a chart is not supported. Use https://, http://, oci:// or git+https://. */
    'scheme-unsupported': { readonly url?: string };
    /** A repository was added, but its index is not on this machine. Run `tshelm repo update`. */
    'index-missing': { readonly repository?: string; readonly path?: string };
    /** Something must be downloaded, but --offline forbids downloads. Run the command once without --offline: downloads stay in the cache. */
    offline: { readonly url?: string };
    /** repositories.yaml cannot be read. Fix the file, or remove the file and add the repositories again. */
    'repositories-unreadable': { readonly path: string };
    /** No repository with this name has been added. Run `tshelm repo add NAME URL`. */
    'repository-unknown': { readonly repository?: string; readonly missing?: readonly string[] };
  }
}
