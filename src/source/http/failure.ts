import { reasonOf } from '../../go/net/reason.ts';
import { TshelmError } from '../../support/errors.ts';
import { shownUrl } from './shown-url.ts';

interface Sent {
  readonly method?: string | undefined;
  readonly url: string;
}

/** A request that got no answer that can be used. Go's words (net/url.Error): `Get "https://…": REASON`. */
export function downloadFailed({ method = 'GET', url }: Sent, reason: string, cause?: unknown): TshelmError {
  const verb = `${method[0]}${method.slice(1).toLowerCase()}`;
  const message = `${verb} ${JSON.stringify(shownUrl(url))}: ${reason}`;
  return new TshelmError('download-failed', { message, details: { url: shownUrl(url) }, cause });
}

export const connectionFailed = (sent: Sent, cause: unknown): TshelmError =>
  downloadFailed(sent, reasonOf(cause, new URL(sent.url)), cause);
