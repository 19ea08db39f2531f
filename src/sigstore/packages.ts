/** The only module that imports the packages of sigstore (docs/decisions/sigstore.md); a file of its own when built. */
import seeds from '@sigstore/tuf/seeds.json' with { type: 'json' };

export { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
export { type Bundle, bundleFromJSON, bundleToJSON, ValidationError } from '@sigstore/bundle';
export { RFC3161Timestamp, X509Certificate } from '@sigstore/core';
export { TrustedRoot } from '@sigstore/protobuf-specs';
export {
  PolicyError,
  type SignedEntity,
  type TrustMaterial,
  toTrustMaterial,
  VerificationError,
  Verifier,
} from '@sigstore/verify';
export { Updater } from 'tuf-js';
export { DownloadHTTPError } from 'tuf-js/dist/error.js';

/** The first root of the public sigstore, by the URL of its TUF repository. */
export const publicSigstore = seeds;
