/** A bundle: a signature with all that is needed to check it. */
export const bundleType = 'application/vnd.dev.sigstore.bundle.v0.3+json';

/** What cosign signed before its version 3, as a layer. Go: types.SimpleSigningMediaType. */
export const simpleSigningType = 'application/vnd.dev.cosign.simplesigning.v1+json';
