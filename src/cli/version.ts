/** Put in by the build; from the sources it is the version of a development tree. */
declare const TSHELM_VERSION: string | undefined;

export const tshelmVersion: string = typeof TSHELM_VERSION === 'string' ? TSHELM_VERSION : '0.0.0-development';

/** The Helm whose output, records and flags are the reference. */
export const helmVersion = 'v4.3.1';
