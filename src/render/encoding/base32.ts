import { encodeText } from '../../go/text.ts';
import { GoError } from '../../go/value.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const digitsOfBytes = [0, 2, 4, 5, 7, 8];

/** Standard base32 with padding, of the bytes of a text. */
export function encodeBase32(text: string): string {
  const bytes = encodeText(text);
  let encoded = '';
  for (let at = 0; at < bytes.length; at += 5) {
    const group = bytes.subarray(at, at + 5);
    let bits = 0n;
    for (let index = 0; index < 5; index++) bits = (bits << 8n) | BigInt(group[index] ?? 0);
    let digits = '';
    for (let shift = 35n; shift >= 0n; shift -= 5n) digits += alphabet.charAt(Number((bits >> shift) & 31n));
    encoded += digits.slice(0, digitsOfBytes[group.length]).padEnd(8, '=');
  }
  return encoded;
}

const bytesOfDigits = new Map(digitsOfBytes.map((digits, bytes) => [digits, bytes]));

/** base32.StdEncoding.DecodeString: line breaks are ignored. Throws GoError with Go's message, which names the byte. */
export function decodeBase32(text: string): Uint8Array {
  const source = encodeText(text).filter((byte) => byte !== 0x0a && byte !== 0x0d);
  const decoded: number[] = [];
  for (let at = 0; at < source.length; at += 8) {
    const group = readGroup(source, at);
    decoded.push(...group.bytes);
    if (group.isLast) break;
  }
  return Uint8Array.from(decoded);
}

interface Group {
  readonly bytes: readonly number[];
  /** Padding ends the text, whatever follows. */
  readonly isLast: boolean;
}

function readGroup(source: Uint8Array, start: number): Group {
  let bits = 0n;
  let count = 0;
  for (; count < 8; count++) {
    const at = start + count;
    const byte = source[at];
    if (byte === undefined) throw illegal(at - count);
    if (byte === 0x3d && count >= 2 && source.length - at - 1 < 8) {
      checkPadding(source, at, count);
      break;
    }
    const digit = alphabet.indexOf(String.fromCharCode(byte));
    if (digit < 0) throw illegal(at);
    bits = (bits << 5n) | BigInt(digit);
  }
  return { bytes: bytesOf(bits << BigInt(5 * (8 - count)), bytesOfDigits.get(count) as number), isLast: count < 8 };
}

/** "=" to the end of the group of eight, after a number of digits that whole bytes can have. */
function checkPadding(source: Uint8Array, at: number, count: number): void {
  const rest = source.subarray(at + 1);
  if (rest.length + count < 7) throw illegal(source.length);
  for (let index = 0; index < 7 - count; index++) {
    if (rest.length > index && rest[index] !== 0x3d) throw illegal(source.length - rest.length + index - 1);
  }
  if (!bytesOfDigits.has(count)) throw illegal(at);
}

function bytesOf(bits: bigint, length: number): number[] {
  const bytes: number[] = [];
  for (let index = 0; index < length; index++) bytes.push(Number((bits >> BigInt(32 - 8 * index)) & 255n));
  return bytes;
}

const illegal = (at: number): GoError => new GoError(`illegal base32 data at input byte ${at}`);
