import type { ServerResponse } from 'node:http';
import { PatchError } from '../../kinds/patch-error.ts';
import type { Json } from '../../support/json.ts';
import { badRequest, StatusError } from '../status.ts';

/** What a request is answered with. */
export type Answer =
  | { readonly kind: 'json'; readonly code: number; readonly body: Json; readonly contentType?: string }
  | { readonly kind: 'text'; readonly code: number; readonly body: string | Uint8Array; readonly contentType?: string }
  /** Writes the response itself, for as long as it takes. */
  | { readonly kind: 'stream'; readonly run: (response: ServerResponse) => void };

export const json = (body: Json, code = 200): Answer => ({ kind: 'json', code, body });

export const text = (body: string, code = 200): Answer => ({ kind: 'text', code, body });

export const pageNotFound: Answer = { kind: 'text', code: 404, body: '404 page not found\n' };

export function send(response: ServerResponse, answer: Answer, warnings: readonly string[]): void {
  if (warnings.length > 0) {
    response.setHeader(
      'Warning',
      [...new Set(warnings)].map((warning) => `299 - ${JSON.stringify(warning)}`),
    );
  }
  switch (answer.kind) {
    case 'json':
      write(response, answer.code, answer.contentType ?? 'application/json', JSON.stringify(answer.body));
      break;
    case 'text':
      write(response, answer.code, answer.contentType ?? 'text/plain; charset=utf-8', answer.body);
      break;
    case 'stream':
      answer.run(response);
      break;
  }
}

function write(response: ServerResponse, code: number, contentType: string, body: string | Uint8Array): void {
  response.writeHead(code, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

/** A failure as the client gets it; what was not foreseen is an internal error that carries its cause. */
export function failureAnswer(error: unknown): Answer {
  if (error instanceof StatusError) return json(error.toStatus(), error.code);
  if (error instanceof PatchError) return failureAnswer(refusedPatch(error));
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return json(new StatusError(500, 'InternalError', `Internal error occurred: ${message}`).toStatus(), 500);
}

/** The API server does not say which operation does not fit. */
const refusedPatch = ({ kind, message }: PatchError): StatusError =>
  kind === 'malformed'
    ? badRequest(message)
    : new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
