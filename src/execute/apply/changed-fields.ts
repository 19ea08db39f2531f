import { refusalIn } from '../../cluster/api-error.ts';
import { maskSecrets } from '../../manifest/mask-secrets.ts';
import { immutableFields } from '../../problem/foreign/api-status.ts';
import { isObject } from '../../support/json.ts';
import type { Run } from '../context.ts';
import { secretWords } from '../secret-mask.ts';
import type { Target } from './targets.ts';

const maxShownFields = 5;
const longestValue = 80;

/**
 * Where an object was refused because fields cannot be changed in place: which of their parts would change, a line each
 * with the old value and the new one. The server says only which field it is, and prints it whole.
 */
export async function changedFields({ id, object }: Target, failure: unknown, run: Run): Promise<readonly string[]> {
  const refusal = refusalIn(failure);
  const fields = refusal === undefined ? [] : immutableFields(refusal);
  if (fields.length === 0 || id.kind === 'Secret') return [];
  // Without the live object the refusal stands as the server words it.
  const live = await run.cluster.get(id, { signal: run.signal }).catch(() => undefined);
  if (live === undefined) return [];
  const [old, next] = maskSecrets(live, object, secretWords(run.plan));
  const changes = fields.flatMap((field) => {
    const keys = field.split('.');
    return changesAt(field, fieldAt(old, keys), fieldAt(next, keys));
  });
  return changes
    .slice(0, maxShownFields)
    .map(({ path, before, after }) => `${path}: ${text(before)} -> ${text(after)}`);
}

interface Change {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What is sent and differs; the server has defaults beside it. */
export function changesAt(path: string, before: unknown, after: unknown): readonly Change[] {
  if (isObject(before) && isObject(after))
    return Object.entries(after).flatMap(([key, value]) => changesAt(`${path}.${key}`, before[key], value));
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return after.flatMap((item, index) => changesAt(`${path}[${index}]`, before[index], item));
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

export const fieldAt = (object: unknown, keys: readonly string[]): unknown =>
  keys.reduce((value, key) => (isObject(value) ? value[key] : undefined), object);

function text(value: unknown): string {
  const json = value === undefined ? 'not set' : JSON.stringify(value);
  return json.length > longestValue ? `${json.slice(0, longestValue)}…` : json;
}
