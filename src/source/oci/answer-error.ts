import { STATUS_CODES } from 'node:http';
import { formatValue } from '../../go/fmt/format.ts';
import { ifReadable } from '../../go/if-readable.ts';
import { readJson } from '../../go/json/json.ts';
import type { GoMap, Value } from '../../go/value.ts';
import { type ErrorDetails, TshelmError } from '../../support/errors.ts';
import type { HttpAnswer } from '../http/request.ts';
import { shownUrl } from '../http/shown-url.ts';

/** What a registry refuses, in its own words. Go: oras errutil.ParseErrorResponse, errcode.ErrorResponse. */
export function answerError(method: string, { url, status, body }: HttpAnswer): TshelmError {
  const reasons = errorsIn(body);
  const reason = reasons.length > 0 ? reasons.map(errorText).join('; ') : (STATUS_CODES[status] ?? '');
  return registryError(method, url, `response status code ${status}: ${reason}`, {
    status,
    codes: reasons.map((one) => one.get('code')),
  });
}

/** Something wrong with a request or its answer: `GET "https://…": REASON`. */
export function registryError(
  method: string,
  url: string,
  reason: string,
  details: Omit<ErrorDetails['registry-refused'], 'url'> = {},
): TshelmError {
  const message = `${method} ${JSON.stringify(shownUrl(url))}: ${reason}`;
  return new TshelmError('registry-refused', { message, details: { url: shownUrl(url), ...details } });
}

const mostErrorBytes = 8 * 1024;

function errorsIn(body: Uint8Array): GoMap[] {
  const json = ifReadable(() => readJson(Buffer.from(body.subarray(0, mostErrorBytes)).toString('utf8')));
  const errors = json instanceof Map ? json.get('errors') : undefined;
  return Array.isArray(errors) ? errors.filter((one) => one instanceof Map) : [];
}

function errorText(error: GoMap): string {
  const code = textOf(error.get('code')).toLowerCase().replaceAll('_', ' ');
  const message = textOf(error.get('message'));
  if (message === '') return code;
  const detail = error.get('detail');
  return detail === undefined || detail === null
    ? `${code}: ${message}`
    : `${code}: ${message}: ${formatValue(detail)}`;
}

const textOf = (value: Value): string => (typeof value === 'string' ? value : '');
