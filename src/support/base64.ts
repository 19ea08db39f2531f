/** The bytes of base64 that is complete, its padding included: Node passes over what is none. Throws an Error that names it. */
export function bytesOfBase64(text: string, name: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > 0 && bytes.toString('base64') === text) return bytes;
  throw new Error(`the ${name} is not base64`);
}
