import type { RequestHeaders } from './connection.ts';

/** What could end a line early, and so smuggle in another header or request, is refused in node:http's words. */
export function checkedHeaders(headers: RequestHeaders): RequestHeaders {
  for (const [name, values] of Object.entries(headers)) {
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) {
      throw typeError('ERR_INVALID_HTTP_TOKEN', `Header name must be a valid HTTP token ["${name}"]`);
    }
    if ([values].flat().some((value) => /[^\t\x20-\x7e\x80-\xff]/.test(value))) {
      throw typeError('ERR_INVALID_CHAR', `Invalid character in header content ["${name}"]`);
    }
  }
  return headers;
}

/** A path and query that can appear in the first line of a request. */
export function checkedTarget(target: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (!/[^\x21-\xff]/.test(target)) return target;
  throw typeError('ERR_UNESCAPED_CHARACTERS', 'Request path contains unescaped characters');
}

const typeError = (code: string, message: string): Error => Object.assign(new TypeError(message), { code });
