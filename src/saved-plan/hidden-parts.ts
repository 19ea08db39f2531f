import { itemsOf } from '../manifest/items.ts';
import { hasObject, parseManifest } from '../manifest/parse.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { isSecret, withoutServerState } from '../manifest/without-server-state.ts';
import { hidden } from '../support/known-words.ts';

/** What `***` hides, in order; undefined where the shown text or value is not made from the plain one. */
export type HiddenParts = readonly string[] | undefined;

/** The hidden parts of a document as a plan file shows it (secrets.ts, `document`). */
export function hiddenInDocument(shown: string, plain: string, source: string): HiddenParts {
  const inText = hiddenInText(shown, plain);
  if (inText !== undefined) return inText;
  const [one, other] = [parseManifest(shown, source), parseManifest(plain, source)];
  return hasObject(one) && hasObject(other) ? hiddenIn(one.object, withStoredSecrets(other.object)) : undefined;
}

/** Secrets as the API server keeps them: a plan shows the keys of `stringData` among those of `data`. */
function withStoredSecrets(object: KubernetesObject): unknown {
  if (isSecret(object)) return withoutServerState(object);
  const items = itemsOf(object);
  return items.some(isSecret) ? { ...object, items: items.map((item) => withoutServerState(item)) } : object;
}

/** The hidden parts of a value of JSON. */
export function hiddenIn(shown: unknown, plain: unknown): HiddenParts {
  if (shown === plain) return [];
  if (typeof shown === 'string')
    return typeof plain === 'string' ? hiddenInText(shown, plain) : shown === hidden ? [textOf(plain)] : undefined;
  const [one, other] = [entriesOf(shown), entriesOf(plain)];
  if (one === undefined || other === undefined || one.length !== other.length) return undefined;
  if (Array.isArray(shown) !== Array.isArray(plain)) return undefined;
  const found = new Map(other);
  return joined(one.map(([key, value]) => (found.has(key) ? hiddenIn(value, found.get(key)) : undefined)));
}

const textOf = (plain: unknown): string =>
  JSON.stringify(plain, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? '';

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] | undefined =>
  typeof value === 'object' && value !== null ? Object.entries(value) : undefined;

const joined = (parts: readonly HiddenParts[]): HiddenParts =>
  parts.every((one) => one !== undefined) ? parts.flat() : undefined;

/** The leftmost place of each visible piece: where a text fits a pattern of stars at all, it fits so. */
function hiddenInText(shown: string, plain: string): HiddenParts {
  if (shown === plain) return [];
  const [first = '', ...rest] = shown.split(hidden);
  const last = rest.pop();
  if (last === undefined || !plain.startsWith(first)) return undefined;
  const parts: string[] = [];
  let at = first.length;
  for (const piece of rest) {
    const next = plain.indexOf(piece, at);
    if (next < 0) return undefined;
    parts.push(plain.slice(at, next));
    at = next + piece.length;
  }
  const end = plain.length - last.length;
  return end < at || !plain.endsWith(last) ? undefined : [...parts, plain.slice(at, end)];
}
