import { encodeText, isWellFormed } from '../go/text.ts';
import { textOfUnits } from '../support/code-units.ts';
import { YamlProblem } from './tokens.ts';

const refusedCharacters = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/**
 * The text without a byte order mark, that of a file in UTF-16 decoded (readerc.go). Fails for characters that YAML does
 * not allow, and for bytes that are neither UTF-8 nor UTF-16.
 */
export function readable(text: string): string {
  const decoded = isUtf16.test(text) ? decodeUtf16(text) : text;
  const at = decoded.search(refusedCharacters);
  if (at >= 0) throw unreadable('control characters are not allowed', decoded, at);
  if (!isWellFormed(decoded)) throw unreadable(...utf8Problem(decoded));
  return decoded.startsWith('\ufeff') ? decoded.slice(1) : decoded;
}

// A text in UTF-16, as some Windows tools write it; its two first bytes are no UTF-8 (go/text.ts).
const isUtf16 = /^(?:\udcff\udcfe|\udcfe\udcff)/;

function decodeUtf16(text: string): string {
  const bytes = encodeText(text).subarray(2);
  if (bytes.length % 2 === 1) throw unreadable('incomplete UTF-16 character', '', 0);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const isBigEndian = text.startsWith('\udcfe');
  const decoded = textOfUnits(
    Uint16Array.from({ length: bytes.length / 2 }, (_, at) => view.getUint16(2 * at, !isBigEndian)),
  );
  const broken = decoded.search(/(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/);
  if (broken < 0) return decoded;
  const problem =
    decoded.charCodeAt(broken) >= 0xdc00
      ? 'unexpected low surrogate area'
      : broken === decoded.length - 1
        ? 'incomplete UTF-16 surrogate pair'
        : 'expected low surrogate area';
  throw unreadable(problem, decoded, broken);
}

function unreadable(problem: string, text: string, at: number): YamlProblem {
  const before = text.slice(0, at).split('\n');
  const mark = { line: before.length - 1, column: (before.at(-1) as string).length };
  return new YamlProblem(problem, mark, 0);
}

/** What is wrong with the first byte that is not UTF-8. */
function utf8Problem(text: string): [problem: string, text: string, at: number] {
  const at = text.search(/(?<![\ud800-\udbff])[\udc00-\udfff]/);
  const bytes = encodeText(text.slice(at, at + 4));
  const first = bytes[0] as number;
  const length = first >= 0xf8 ? 0 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0;
  if (length === 0) return ['invalid leading UTF-8 octet', text, at];
  if (bytes.length < length) return ['incomplete UTF-8 octet sequence', text, at];
  const trailing = bytes.subarray(1, length);
  if (trailing.some((byte) => (byte & 0xc0) !== 0x80)) return ['invalid trailing UTF-8 octet', text, at];
  return [isOverlong(bytes) ? 'invalid length of a UTF-8 sequence' : 'invalid Unicode character', text, at];
}

const isOverlong = ([first = 0, second = 0]: Uint8Array): boolean =>
  first < 0xc2 || (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
