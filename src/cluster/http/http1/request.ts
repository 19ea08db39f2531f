/** A request as it is written (RFC 9112 §3), in one piece. `headerLines` are those of {@link headerLines}. */
export function requestBytes(method: string, path: string, headerLines: string, body: string | undefined): Buffer {
  const bodyLength = body === undefined ? 0 : Buffer.byteLength(body);
  const length = body === undefined && !mayHaveBody.has(method) ? '' : `content-length: ${bodyLength}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\n${headerLines}${length}\r\n`;
  const bytes = Buffer.allocUnsafe(head.length + bodyLength);
  bytes.write(head, 'latin1');
  if (body !== undefined) bytes.write(body, head.length);
  return bytes;
}

const mayHaveBody = new Set(['POST', 'PUT', 'PATCH']);

/** `name: value` lines of names and values in turn. */
export function headerLines(headers: readonly string[]): string {
  let lines = '';
  for (let index = 0; index < headers.length; index += 2) lines += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return lines;
}
