/** ASN.1 values in DER, as X.509 certificates and keys are made of them. */
export type Der = Uint8Array;

/** A value of any tag around its content. */
export function der(tag: number, ...content: readonly Uint8Array[]): Der {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(body.length)]), body]);
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 + bytes.length, ...bytes];
}

export const sequence = (...items: readonly Der[]): Der => der(0x30, ...items);
export const setOf = (...items: readonly Der[]): Der => der(0x31, ...items);
export const octetString = (content: Uint8Array): Der => der(0x04, content);
export const derTrue: Der = der(0x01, Uint8Array.of(0xff));
export const derNull: Der = der(0x05);

/** `context(0, …)` is what ASN.1 writes as [0] EXPLICIT. */
export const context = (number: number, ...content: readonly Der[]): Der => der(0xa0 + number, ...content);
/** `implicitContext(0, …)` is [0] IMPLICIT of a primitive type. */
export const implicitContext = (number: number, content: Uint8Array): Der => der(0x80 + number, content);

export const bitString = (content: Uint8Array, unusedBits = 0): Der => der(0x03, Uint8Array.of(unusedBits), content);

/** A non-negative integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Der {
  let from = 0;
  while (from < bytes.length - 1 && bytes[from] === 0) from += 1;
  const shortest = bytes.subarray(from);
  return (shortest[0] as number) >= 0x80 ? der(0x02, Uint8Array.of(0), shortest) : der(0x02, shortest);
}

/** `objectIdentifier('2.5.4.3')` */
export function objectIdentifier(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
}

function base128(number: number): number[] {
  const bytes = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) + 0x80);
  return bytes;
}

const printable = /^[A-Za-z0-9 '()+,\-./:=?]*$/;

/** PrintableString where the text allows it, else UTF8String, as encoding/asn1 chooses. */
export const directoryString = (text: string): Der =>
  der(printable.test(text) ? 0x13 : 0x0c, Buffer.from(text, 'utf8'));

/** UTCTime for the years 1950 to 2049, else GeneralizedTime; undefined for a year that neither can hold. */
export function derTime(time: Date): Der | undefined {
  const year = time.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) return undefined;
  const rest = `${time.toISOString().replace(/^[+-]?\d+-|\.\d+|[-:T]/g, '')}`;
  if (year >= 1950 && year < 2050) return der(0x17, Buffer.from(String(year).slice(2) + rest));
  return der(0x18, Buffer.from(String(year).padStart(4, '0') + rest));
}

/** One value of a DER text: its tag, its content, and all its bytes. */
export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly bytes: Uint8Array;
}

/** The values that are one after the other; undefined where the bytes are no DER. */
export function readDer(bytes: Uint8Array): DerValue[] | undefined {
  const values: DerValue[] = [];
  let at = 0;
  while (at < bytes.length) {
    const value = readValue(bytes.subarray(at));
    if (value === undefined) return undefined;
    values.push(value);
    at += value.bytes.length;
  }
  return values;
}

function readValue(bytes: Uint8Array): DerValue | undefined {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) return undefined;
  let start = 2;
  let length = first;
  if (first >= 0x80) {
    start += first & 0x7f;
    length = bytes.subarray(2, start).reduce((value, byte) => value * 256 + byte, 0);
  }
  if (bytes.length < start + length) return undefined;
  return { tag, content: bytes.subarray(start, start + length), bytes: bytes.subarray(0, start + length) };
}
