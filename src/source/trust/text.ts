import type { Verification } from '../chart-access.ts';

/** In Helm's words; of a certificate, its issuer takes the place of a fingerprint. */
export const verificationText = (
  { identities, fingerprint, issuer, logIndex, fileHash }: Verification,
  what: 'Chart' | 'Plugin',
): string =>
  [
    ...identities.map((name) => `Signed by: ${name}\n`),
    ...(issuer === undefined ? [] : [`Issued by: ${issuer}\n`]),
    ...(fingerprint === '' ? [] : [`Using Key With Fingerprint: ${fingerprint}\n`]),
    ...(logIndex === undefined ? [] : [`Transparency Log Index: ${logIndex}\n`]),
    `${what} Hash Verified: ${fileHash}\n`,
  ].join('');
