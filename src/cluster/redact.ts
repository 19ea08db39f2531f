import { hidden } from '../support/known-words.ts';
import { literalPattern } from '../support/pattern.ts';
import { maskText } from '../support/secret-text.ts';
import { ApiError } from './api-error.ts';
import type { ApiRequest } from './http/exchange.ts';

/** Takes out of a text what must not be shown. */
export type Redact = (text: string) => string;

/**
 * A refusal as it may be shown, logged and recorded: the server repeats what it was sent, the content of a Secret
 * (`expected string, got &value.valueUnstructured{Value:1234}`) and the environment of a pod template that cannot change.
 */
export function redacted(error: ApiError, request: Pick<ApiRequest, 'path' | 'body'>, redact: Redact): ApiError {
  const values = isSecretPath(request.path) ? leavesOf(request.body) : [];
  const clean = (text: string): string => redact(maskText(withoutValues(text, values)));
  const { failure } = error;
  const message = clean(failure.message);
  const causes = failure.causes.map((cause) =>
    cause.message === undefined ? cause : { ...cause, message: clean(cause.message) },
  );
  return new ApiError({ ...failure, message, causes });
}

const isSecretPath = (path: string): boolean => /\/secrets(?:\/[^/]+)?$/.test(path);

/** Everything that a Secret holds but for its metadata, decoded too, the longest first. */
function leavesOf(body: unknown): readonly string[] {
  const leaves = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
    else if (value !== null && value !== undefined && value !== '') {
      leaves.add(typeof value === 'string' ? value : (value as number | bigint | boolean).toString());
      if (typeof value === 'string') leaves.add(Buffer.from(value, 'base64').toString('utf8'));
    }
  };
  for (const [key, value] of Object.entries((body ?? {}) as object)) {
    if (!['apiVersion', 'kind', 'metadata', 'type', 'immutable'].includes(key)) visit(value);
  }
  return [...leaves].filter((leaf) => leaf.trim() !== '').sort((a, b) => b.length - a.length);
}

/** Where a value stands alone: a password "a" must not take the message apart. */
const withoutValues = (text: string, values: readonly string[]): string =>
  values.reduce((clean, value) => {
    if (!clean.includes(value)) return clean;
    const escaped = literalPattern(value);
    return clean.replace(new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, 'g'), hidden);
  }, text);
