import { Quote } from '../problem/quote.ts';
import { type ErrorCode, TshelmError } from '../support/errors.ts';
import type { SecretWords } from '../support/secret-words.ts';

/** A failure as it may be logged: its message, its details and its causes without secrets. What is no failure of tshelm's stays. */
export function failureWithoutSecrets(failure: unknown, secrets: SecretWords): unknown {
  return failure instanceof TshelmError ? withoutSecrets(failure, secrets, new Map()) : failure;
}

/** The same for plain data: problems and their quotes. */
export const dataWithoutSecrets = <T>(data: T, secrets: SecretWords): T =>
  withoutSecrets(data, secrets, new Map()) as T;

/** The same object where there is no secret in it. `known`: what was met on the way, so that nothing is looked at twice. */
function withoutSecrets(value: unknown, secrets: SecretWords, known: Map<object, unknown>): unknown {
  if (typeof value === 'string') return secrets.redact(value);
  // Problems that are looked for when they are asked for.
  if (typeof value === 'function') return () => withoutSecrets(value(), secrets, new Map());
  if (value instanceof Quote) return value.masked((text) => secrets.redact(text));
  if (typeof value !== 'object' || value === null) return value;
  if (known.has(value)) return known.get(value);
  known.set(value, value);
  const clean = (part: unknown): unknown => withoutSecrets(part, secrets, known);
  const found = value instanceof Error ? cleanError(value, clean) : cleanData(value, clean);
  known.set(value, found);
  return found;
}

type Clean = (part: unknown) => unknown;

function cleanError(error: Error, clean: Clean): Error {
  const message = clean(error.message) as string;
  const cause = clean(error.cause);
  const details = error instanceof TshelmError ? clean(error.details) : undefined;
  const isSame = message === error.message && cause === error.cause;
  if (isSame && (!(error instanceof TshelmError) || details === error.details)) return error;
  const shown =
    error instanceof TshelmError
      ? new TshelmError<ErrorCode>(error.code, { message, cause, details: details as TshelmError['details'] })
      : new Error(message, { cause });
  // The stack begins with the message.
  Object.defineProperty(shown, 'stack', { value: clean(error.stack), configurable: true, writable: true });
  if (!(error instanceof TshelmError)) shown.name = error.name;
  return shown;
}

function cleanData(value: object, clean: Clean): unknown {
  if (Array.isArray(value)) {
    const items = value.map(clean);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, clean(member)] as const);
  const isSame = members.every(([key, member]) => member === (value as Record<string, unknown>)[key]);
  return isSame ? value : Object.fromEntries(members);
}
