export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** The signature of a chart is missing or does not fit. Do not use the chart, or check --keyring. */
    'verification-failed': NoDetails;
    /** A chart could not be signed. Check --key, --keyring and the passphrase. */
    'signing-failed': NoDetails;
    /** A repository that is to be added cannot be reached. Check the URL, the network and the credentials. */
    'repository-unreachable': NoDetails;
    /** A repository of this name is known with another URL. Choose another name, or use --force-update. */
    'repository-exists': NoDetails;
    /** Signatures need a package that is not installed. Run `npm install openpgp` beside tshelm. */
    'openpgp-missing': NoDetails;
    /** Chart.lock does not fit Chart.yaml. Run `tshelm dependency update`. */
    'lock-out-of-sync': NoDetails;
    /** Chart.lock is a symbolic link, through which another file would be written. Replace the link by a file. */
    'lock-is-a-link': { readonly path: string };
    /** The index of a repository cannot be kept in the cache. Make the folder of --repository-cache writable. */
    'index-unwritable': NoDetails;
    /** The index of a repository is no index. Check the URL of the repository. */
    'index-invalid': NoDetails;
    /** The index of a folder of charts cannot be made. Mend the index that is merged, or leave --merge out. */
    'index-failed': NoDetails;
    /** The Artifact Hub cannot be asked. Check the network and --endpoint. */
    'hub-unreachable': { readonly url?: string };
    /** Another command writes the same file. Wait for its end, and try again. */
    'file-locked': { readonly path: string };
    /** No version of a subchart is in the range that Chart.yaml asks for. Run `tshelm repo update`, or correct the range. */
    'dependency-unresolved': { readonly missing: readonly string[] };
    /** A subchart at a `file://` path is not there. Correct the path in Chart.yaml. */
    'dependency-missing': { readonly folder: string };
    /** A subchart could not be fetched or unpacked. The message says why; check its entry in Chart.yaml. */
    'dependency-failed': NoDetails;
    /** A new chart could not be written. Check the folder that the message names. */
    'create-failed': NoDetails;
    /** The `charts` of a chart is no folder that can be used. Make it a folder that you can read and write. */
    'charts-unusable': NoDetails;
    /** A repository cannot have this name. Take a name without `/`. */
    'bad-repository-name': NoDetails;
    /** SOURCE_DATE_EPOCH is no time. Set it to seconds since 1970, or leave it out. */
    'bad-epoch': NoDetails;
    /** The text of --version is no constraint on versions. Write it like `1.2.3`, `^1.2` or `>=1.2 <2`. */
    'bad-constraint': NoDetails;
    /** The words of `search repo --regexp` are no regular expression. Write them as Go takes it. */
    'bad-keyword': NoDetails;
    /** A certificate or key for a server of charts cannot be used. Check the files of --ca-file, --cert-file and --key-file. */
    'bad-tls': NoDetails;
    /** A server of charts refused a download or could not be reached. Check the URL, the network and the credentials; `tshelm repo list` shows what is known. */
    'download-failed': { readonly url: string; readonly status?: number; readonly code?: number };
    /** The file with the credentials of registries cannot be read or written. Mend or remove the file that --registry-config names; `tshelm registry login` writes it. */
    'bad-registry-config': NoDetails;
    /** The program that keeps the credentials of registries failed. Run `docker-credential-NAME list` by hand, or take it out of the file of --registry-config. */
    'credential-helper-failed': { readonly program: string };
    /** A registry has no such chart or version. Check the reference and its version. */
    'not-in-registry': { readonly reference: string };
    /** A registry did not take the user and password. Check both, and the name of the registry. */
    'registry-login-failed': { readonly registry: string };
    /** The credential of a registry could not be deleted. Check the file of --registry-config, or the program that keeps the credentials. */
    'registry-logout-failed': { readonly registry: string };
    /** A registry refused a request or gave an answer that cannot be used. Check the reference, and log in with `tshelm registry login`. */
    'registry-refused': {
      readonly url?: string;
      readonly status?: number;
      readonly codes?: readonly unknown[];
    };
    /** The index of a repository cannot be fetched or read. Check the URL: its `index.yaml` is what is asked for. */
    'repository-unreadable': { readonly url: string };
    /** A chart is at a URL of a kind that nobody reads. Give one that begins with https://, http:// or oci://. */
    'scheme-unsupported': { readonly url?: string };
    /** A repository was added, and its index is not on this machine. Run `tshelm repo update`. */
    'index-missing': { readonly repository?: string; readonly path?: string };
    /** Something has to be downloaded and --offline forbids it. Run it once without --offline: what was downloaded stays in the cache. */
    offline: { readonly url?: string };
    /** repositories.yaml cannot be read. Mend the file, or remove it and add the repositories again. */
    'repositories-unreadable': { readonly path: string };
    /** No repository of this name has been added. Run `tshelm repo add NAME URL`. */
    'repository-unknown': { readonly repository?: string; readonly missing?: readonly string[] };
  }
}
