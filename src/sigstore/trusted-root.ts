import { readBytes } from '../go/files.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { asObject } from '../support/json.ts';
import { TrustedRoot, toTrustMaterial } from './packages.ts';

/** Reads a trusted root: the JSON that `cosign trusted-root create` writes, and TUF delivers. Fails with `bad-trusted-root`. */
export function readTrustedRoot(path: string): TrustedRoot {
  try {
    return trustedRootOf(readBytes(path));
  } catch (cause) {
    const message = `the trusted root ${path} cannot be read: ${messageOf(cause)}`;
    throw new TshelmError('bad-trusted-root', { message, details: { path }, cause });
  }
}

const mediaTypes = /^application\/vnd\.dev\.sigstore\.trustedroot(?:\+json;version=0\.1|\.v0\.[12]\+json)$/;

/** Throws an Error for what is no trusted root. */
export function trustedRootOf(bytes: Uint8Array): TrustedRoot {
  const root = TrustedRoot.fromJSON(asObject(JSON.parse(Buffer.from(bytes).toString('utf8'))));
  if (!mediaTypes.test(root.mediaType))
    throw new Error(`it has the media type ${JSON.stringify(root.mediaType)}, which is not a sigstore trusted root`);
  if ([root.certificateAuthorities, root.tlogs, root.timestampAuthorities].every((listed) => listed.length === 0))
    throw new Error('it has no certificates and no log keys');
  try {
    toTrustMaterial(root);
  } catch (cause) {
    throw new Error('one of its certificates or log keys cannot be read', { cause });
  }
  return root;
}
