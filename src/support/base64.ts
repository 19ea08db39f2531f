import { base64Bytes } from './bytes.ts';

const padded = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What base64.StdEncoding of Go decodes, which ignores line breaks; undefined where the text is not base64. */
export function decodedBase64(text: string): Uint8Array | undefined {
  const joined = text.replace(/[\r\n]/g, '');
  return padded.test(joined) ? base64Bytes(joined) : undefined;
}

/** The bytes of base64 that is complete, its padding included: Node passes over what is none. Throws an Error that names it. */
export function bytesOfBase64(text: string, name: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > 0 && bytes.toString('base64') === text) return bytes;
  throw new Error(`the ${name} is not base64`);
}
