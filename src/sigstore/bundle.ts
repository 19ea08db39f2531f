import { isDeepStrictEqual } from 'node:util';
import { bytesOfBase64 } from '../support/base64.ts';
import { isObject } from '../support/json.ts';
import { bundleType } from './media-types.ts';
import { type Bundle, bundleFromJSON, bundleToJSON, ValidationError } from './packages.ts';

/** Reads a bundle of version 0.3. Throws an Error that says what is wrong with it. */
export function readBundle(bytes: Uint8Array): Bundle {
  const text = Buffer.from(bytes).toString('utf8');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new Error('the bundle is not JSON', { cause });
  }
  const type = isObject(json) ? json['mediaType'] : undefined;
  if (type === undefined) throw new Error(`the bundle has no mediaType; it must be "${bundleType}"`);
  if (type !== bundleType)
    throw new Error(`the bundle has the media type ${JSON.stringify(type)}, not "${bundleType}"`);
  const bundle = wellFormed(json);
  const unknown = unknownPart(json, bundleToJSON(bundle), '');
  if (unknown !== undefined) throw new Error(`the bundle has an unknown or malformed field: ${unknown.slice(1)}`);
  checkProofs(bundle);
  return bundle;
}

function wellFormed(json: unknown): Bundle {
  try {
    return bundleFromJSON(json);
  } catch (cause) {
    if (!(cause instanceof ValidationError)) throw cause;
    // What is `content` to the package is a member of the bundle itself.
    const fields = cause.fields.map((field) =>
      field.replace(/^content$/, 'messageSignature').replace(/^content\./, ''),
    );
    throw new Error(`the bundle has no valid ${fields.join(', ')}`, { cause });
  }
}

/**
 * The first part of a JSON document that its reader passed over, or read as something else than it says. The package
 * skips what it does not know; protojson, which cosign reads bundles with, refuses it.
 */
function unknownPart(given: unknown, read: unknown, path: string): string | undefined {
  if (Array.isArray(given)) {
    const rest = Array.isArray(read) ? read : [];
    return firstOf(given.map((one, index) => () => unknownPart(one, rest[index], `${path}[${index}]`)));
  }
  if (isObject(given)) {
    const rest = isObject(read) ? read : {};
    return firstOf(
      Object.entries(given).map(
        ([key, one]) =>
          () =>
            unknownPart(one, rest[key], `${path}.${key}`),
      ),
    );
  }
  const isDefault = (given === '' || given === '0' || given === 0 || given === false) && path !== '';
  return isDefault || isDeepStrictEqual(given, read) ? undefined : path;
}

function firstOf(looks: readonly (() => string | undefined)[]): string | undefined {
  for (const look of looks) {
    const found = look();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The proof of a log entry repeats the size and the root hash that its checkpoint has, which alone is signed. */
function checkProofs({ verificationMaterial }: Bundle): void {
  for (const { inclusionProof } of verificationMaterial.tlogEntries) {
    if (inclusionProof === undefined) continue;
    const lines = (inclusionProof.checkpoint?.envelope ?? '').split('\n');
    const [, size, rootHash] = lines;
    if (size !== inclusionProof.treeSize || rootHash !== inclusionProof.rootHash.toString('base64'))
      throw new Error("the log entry's proof is not for its checkpoint");
    // `— NAME SIGNATURE`
    for (const line of lines.filter((one) => one.startsWith('\u2014 ')))
      bytesOfBase64(line.split(' ')[2] ?? '', 'signature of the checkpoint');
  }
}
