export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>;

/** A request as it is written (RFC 9112 §3), in one piece. `headerLines` are those of {@link headerLines}. */
export function requestBytes(method: string, path: string, headerLines: string, body: string | undefined): Buffer {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[^\x21-\xff]/.test(path)) {
    throw typeError('ERR_UNESCAPED_CHARACTERS', 'Request path contains unescaped characters');
  }
  const bodyLength = body === undefined ? 0 : Buffer.byteLength(body);
  const length = body === undefined && !mayHaveBody.has(method) ? '' : `content-length: ${bodyLength}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\n${headerLines}${length}\r\n`;
  const bytes = Buffer.allocUnsafe(head.length + bodyLength);
  bytes.write(head, 'latin1');
  if (body !== undefined) bytes.write(body, head.length);
  return bytes;
}

const mayHaveBody = new Set(['POST', 'PUT', 'PATCH']);

/**
 * `name: value` lines; a list of values is a line each. What could end a line early, and so smuggle in another header
 * or request, is refused in node:http's words.
 */
export function headerLines(headers: RequestHeaders): string {
  let lines = '';
  for (const [name, values] of Object.entries(headers)) {
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) {
      throw typeError('ERR_INVALID_HTTP_TOKEN', `Header name must be a valid HTTP token ["${name}"]`);
    }
    for (const value of [values].flat()) {
      if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
        throw typeError('ERR_INVALID_CHAR', `Invalid character in header content ["${name}"]`);
      }
      lines += `${name}: ${value}\r\n`;
    }
  }
  return lines;
}

const typeError = (code: string, message: string): Error => Object.assign(new TypeError(message), { code });
