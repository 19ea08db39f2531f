export interface PemBlock {
  readonly type: string;
  readonly bytes: Uint8Array;
}

const block = /-----BEGIN ([^\n]*?)-----[ \t]*\r?\n([\s\S]*?)-----END \1-----/;
const header = /^[^\n:]*:[^\n]*\n/;

/** The first block of a PEM text; undefined where there is none. */
export function pemBlock(text: string): PemBlock | undefined {
  const [, type, body] = block.exec(text) ?? [];
  if (type === undefined || body === undefined) return undefined;
  const base64 = withoutHeaders(body).replace(/\s/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.length % 4 !== 0) return undefined;
  return { type, bytes: Buffer.from(base64, 'base64') };
}

function withoutHeaders(body: string): string {
  let rest = body;
  while (header.test(rest)) rest = rest.replace(header, '');
  return rest;
}

/** A PEM block with lines of 64 characters and a line break at the end. */
export function toPem(type: string, bytes: Uint8Array): string {
  const lines = Buffer.from(bytes)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n');
  return `-----BEGIN ${type}-----\n${lines}-----END ${type}-----\n`;
}
