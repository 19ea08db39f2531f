import { createHash, timingSafeEqual } from 'node:crypto';
import { decryptValue, type PlainValue } from './encrypted-value.ts';
import type { SopsMetadata } from './metadata.ts';

/** A value of a file, in the file's order. */
export interface Leaf {
  /** The keys that lead to it; the places in lists do not count. */
  readonly path: readonly string[];
  /** As it is in the file. */
  readonly text: string;
  /** What counts of it where it is not encrypted. Go: sops.ToBytes. */
  readonly bytes: () => Buffer;
}

export interface PlainLeaf<L extends Leaf> {
  readonly leaf: L;
  readonly plain: PlainValue;
}

/** A file that sops encrypted, whatever its format. */
export interface SopsFile<L extends Leaf = Leaf> {
  /** `sops` of the file, as plain data. */
  readonly metadata: unknown;
  readonly leaves: readonly L[];
  /** The text in plain, without its metadata: all else is where it was. */
  plain(values: readonly PlainLeaf<L>[], form: PlainForm): string;
}

/**
 * `values`: for whoever reads the values, so each is in the line in which it stood, and encrypted comments go. `sops`: as
 * the program writes it.
 */
export type PlainForm =
  | { readonly spelling: 'values' }
  | {
      readonly spelling: 'sops';
      /** A comment in plain, with the one of these paths that it was encrypted for. */
      readonly openComment: (text: string, paths: readonly (readonly string[])[]) => string | undefined;
    };

/** Opens comments of a file with its data key. */
export const commentsOf =
  (key: Uint8Array) =>
  (text: string, paths: readonly (readonly string[])[]): string | undefined => {
    for (const path of paths) {
      try {
        return decryptValue(text, key, `${path.join(':')}:`)?.data.toString();
      } catch {
        // It is of another place.
      }
    }
    return undefined;
  };

/**
 * The values that are encrypted, in plain, after all of the file was proved to be as it was encrypted. Go: Tree.Decrypt.
 * Throws where the key does not open a value, or the file was changed.
 */
export function decryptLeaves<L extends Leaf>(
  leaves: readonly L[],
  metadata: SopsMetadata,
  key: Uint8Array,
): readonly PlainLeaf<L>[] {
  const hash = createHash('sha512');
  if (metadata.isMacOfEncryptedOnly) hash.update(macOnlyEncryptedMark);
  const found: PlainLeaf<L>[] = [];
  for (const leaf of leaves) {
    const isEncrypted = metadata.isEncrypted(leaf.path);
    const plain = isEncrypted ? plainOf(leaf, key) : undefined;
    if (plain !== undefined) found.push({ leaf, plain });
    // A comment in a list is an item of it as long as it is encrypted.
    const counts = plain?.type !== 'comment' && (isEncrypted || !metadata.isMacOfEncryptedOnly);
    if (counts) hash.update(plain?.data ?? leaf.bytes());
  }
  checkMac(hash.digest('hex').toUpperCase(), metadata, key);
  return found;
}

/** An empty text is not encrypted. */
function plainOf({ path, text }: Leaf, key: Uint8Array): PlainValue | undefined {
  if (text === '') return undefined;
  const plain = opened(() => decryptValue(text, key, `${path.join(':')}:`), `the value at ${path.join('.')}`);
  if (plain === undefined) throw new Error(`the value at ${path.join('.')} is not encrypted, and should be`);
  return plain;
}

function checkMac(found: string, { mac, lastModified }: SopsMetadata, key: Uint8Array): void {
  const expected = opened(() => decryptValue(mac, key, lastModified), 'its message authentication code')?.data;
  const own = Buffer.from(found);
  if (expected === undefined || expected.length !== own.length || !timingSafeEqual(expected, own))
    throw new Error('it was changed after it was encrypted: its message authentication code is of something else');
}

function opened<T>(work: () => T, what: string): T {
  try {
    return work();
  } catch (cause) {
    throw new Error(`${what} was changed, or belongs to another file`, { cause });
  }
}

/** Go: sops.MACOnlyEncryptedInitialization. */
const macOnlyEncryptedMark = Buffer.from([
  0x8a, 0x3f, 0xd2, 0xad, 0x54, 0xce, 0x66, 0x52, 0x7b, 0x10, 0x34, 0xf3, 0xd1, 0x47, 0xbe, 0xb, 0xb, 0x97, 0x5b, 0x3b,
  0xf4, 0x4f, 0x72, 0xc6, 0xfd, 0xad, 0xec, 0x81, 0x76, 0xf2, 0x7d, 0x69,
]);
