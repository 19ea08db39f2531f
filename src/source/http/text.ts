import { gunzipSync } from 'node:zlib';
import { messageOf } from '../../support/errors.ts';
import { downloadFailed } from './failure.ts';
import type { HttpRequest } from './request.ts';

/** The text of a body that may be compressed. Errors: a text above `maxBytes`, whatever it is packed to. */
export function unpackedText(
  request: HttpRequest,
  body: Uint8Array,
  encoding: string | undefined,
  maxBytes: number,
): Uint8Array {
  if (encoding !== 'gzip' || body.length === 0) return body;
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes });
  } catch (cause) {
    const isTooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const reason = isTooLarge ? `the unpacked body is larger than ${maxBytes} bytes` : `gzip: ${messageOf(cause)}`;
    throw downloadFailed(request, reason, cause);
  }
}
