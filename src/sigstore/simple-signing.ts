import { createHash } from 'node:crypto';
import { isObject } from '../support/json.ts';

const signatureType = 'cosign container image signature';

/** Throws an Error where a "simple signing" document is not about exactly this manifest. Go: payload.SimpleContainerImage. */
export function checkSimpleSigning(payload: Uint8Array, manifest: Uint8Array): void {
  const json: unknown = JSON.parse(Buffer.from(payload).toString('utf8'));
  const critical = isObject(json) && isObject(json['critical']) ? json['critical'] : {};
  if (critical['type'] !== signatureType)
    throw new Error(`the signature is of type ${JSON.stringify(critical['type'])}`);
  const image = isObject(critical['image']) ? critical['image'] : {};
  const wanted = `sha256:${createHash('sha256').update(manifest).digest('hex')}`;
  if (image['docker-manifest-digest'] !== wanted)
    throw new Error(`the signature is about another digest than ${wanted}`);
}
