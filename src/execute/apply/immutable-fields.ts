import type { ApiFailure } from '../../cluster/types.ts';
import { maskSecrets } from '../../manifest/mask-secrets.ts';
import { groupOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { immutableFields } from '../../problem/foreign/api-status.ts';
import { isObject } from '../../support/json.ts';
import type { SecretWords } from '../../support/secret-words.ts';

/** A field of an object with what it is and what it was to become. */
interface FieldChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Two states of an object, whose change in place was refused. */
export interface RefusedChange {
  readonly id: ResourceId;
  readonly live: KubernetesObject;
  readonly object: KubernetesObject;
}

/**
 * The fields that cannot be changed in place: the parts that differ of those that the server names, which are often as wide
 * as `spec`. A field of which no part differs, since defaults are added to what is sent, as the server names it.
 */
export const forcingFields = (change: RefusedChange, refusal: ApiFailure): readonly string[] =>
  immutableFields(refusal).flatMap((field) => {
    const paths = changesIn(field, change).map(({ path }) => path);
    return paths.length === 0 ? [field] : paths;
  });

const maxShownFields = 5;
const longestValue = 80;

/** What would change of such fields, a line each with the old value and the new one, but for what a Secret holds. */
export function changeLines(change: RefusedChange, refusal: ApiFailure, words: SecretWords): readonly string[] {
  if (change.id.kind === 'Secret') return [];
  const [live, object] = maskSecrets(change.live, change.object, words);
  return immutableFields(refusal)
    .flatMap((field) => changesIn(field, { id: change.id, live, object }))
    .slice(0, maxShownFields)
    .map(({ path, before, after }) => `${path}: ${text(before)} -> ${text(after)}`);
}

function text(value: unknown): string {
  const json = value === undefined ? 'not set' : JSON.stringify(value);
  return json.length > longestValue ? `${json.slice(0, longestValue)}…` : json;
}

function changesIn(field: string, { id, live, object }: RefusedChange): readonly FieldChange[] {
  const keys = field.split('.');
  const isStatefulSet = id.kind === 'StatefulSet' && groupOf(id.apiVersion) === 'apps';
  const isForcing = ({ path }: FieldChange): boolean => !isStatefulSet || !changeable.has(path.split('.')[1] ?? '');
  return changesAt(field, fieldAt(live, keys), fieldAt(object, keys)).filter(isForcing);
}

/** Fields of a StatefulSet's spec that can be changed: the API server refuses a change of any other one as one of `spec`. */
const changeable: ReadonlySet<string> = new Set([
  'minReadySeconds',
  'ordinals',
  'persistentVolumeClaimRetentionPolicy',
  'replicas',
  'revisionHistoryLimit',
  'template',
  'updateStrategy',
]);

/** What is sent and differs; the server has defaults beside it. */
function changesAt(path: string, before: unknown, after: unknown): readonly FieldChange[] {
  if (isObject(before) && isObject(after))
    return Object.entries(after).flatMap(([key, value]) => changesAt(`${path}.${key}`, before[key], value));
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return after.flatMap((item, index) => changesAt(`${path}[${index}]`, before[index], item));
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

const fieldAt = (object: unknown, keys: readonly string[]): unknown =>
  keys.reduce((value, key) => (isObject(value) ? value[key] : undefined), object);
