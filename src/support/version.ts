/** Put in by the build; from the sources it is the version of a development tree. */
declare const TSHELM_VERSION: string | undefined;
declare const TSHELM_COMMIT: string | undefined;

export const tshelmVersion: string = typeof TSHELM_VERSION === 'string' ? TSHELM_VERSION : '0.0.0-development';

/** The commit that this program was built from; empty where the build knew none. */
export const tshelmCommit: string = typeof TSHELM_COMMIT === 'string' ? TSHELM_COMMIT : '';

/** The Helm whose output, records and flags are the reference. */
export const helmVersion = 'v4.3.1';

/** What servers are told: Helm's words first, since proxies and audit rules look for them. */
export const userAgent = `Helm/${helmVersion.slice(1)} tshelm/${tshelmVersion}`;

/** The helm-diff whose work `diff` does: helmfile and Ansible look for the plugin, and for its version. */
export const helmDiffVersion = '3.15.11';
