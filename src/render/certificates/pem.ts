import { base64Bytes, base64Text } from '../../support/bytes.ts';

export interface PemBlock {
  readonly type: string;
  readonly bytes: Uint8Array;
}

const beginLine = /-----BEGIN ([^\n]*?)-----[ \t]*\r?\n/g;
const endMark = '-----END ';
const header = /[^\n:]*:[^\n]*\n/y;

/** The first block of a PEM text; undefined where there is none. */
export function pemBlock(text: string): PemBlock | undefined {
  const { type, body } = firstBlock(text) ?? {};
  if (type === undefined || body === undefined) return undefined;
  const base64 = withoutHeaders(body).replace(/\s/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.length % 4 !== 0) return undefined;
  return { type, bytes: base64Bytes(base64) };
}

/** A beginning counts if the next end is one of its type. Go: pem.Decode. */
function firstBlock(text: string): { readonly type: string; readonly body: string } | undefined {
  let from = 0;
  for (const { 0: line, 1: type = '', index } of text.matchAll(beginLine)) {
    if (index < from) continue;
    const end = text.indexOf(endMark, index + line.length);
    if (end === -1) return undefined;
    if (text.startsWith(`${endMark}${type}-----`, end)) return { type, body: text.slice(index + line.length, end) };
    from = end;
  }
  return undefined;
}

function withoutHeaders(body: string): string {
  let from = 0;
  for (header.lastIndex = 0; header.test(body); ) from = header.lastIndex;
  return body.slice(from);
}

/** A PEM block with lines of 64 characters and a line break at the end. */
export function toPem(type: string, bytes: Uint8Array): string {
  const lines = base64Text(bytes).replace(/.{1,64}/g, '$&\n');
  return `-----BEGIN ${type}-----\n${lines}-----END ${type}-----\n`;
}
