import { equalJson } from '../support/json.ts';
import { compareText } from '../support/order.ts';
import type { PathPart } from './field-differences.ts';
import type { KubernetesObject } from './types.ts';

/** Who has written a field, as the API server keeps it in `metadata.managedFields`. */
export interface FieldWriter {
  /** `kubectl-edit`, `kube-controller-manager`, … */
  readonly manager: string;
  readonly operation: string;
  /** RFC 3339; of the manager's last write to the object. */
  readonly time?: string | undefined;
  /** `scale`, for example. */
  readonly subresource?: string | undefined;
}

interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly time?: string;
  readonly subresource?: string;
  readonly fieldsV1?: FieldSet;
}

/** Fields as a manager has them: `f:spec` is a key, `k:{…}` an item of a list, `v:…` a plain value of a set. */
export interface FieldSet {
  readonly [key: string]: FieldSet;
}

/** The writers of a field, the latest first. Nobody owns a field that is not there. */
export function writersOf({ metadata }: KubernetesObject, parts: readonly PathPart[]): readonly FieldWriter[] {
  const managed = (metadata.managedFields ?? []) as readonly ManagedFields[];
  const owners = managed.map((entry) => ({ entry, owns: ownership(entry.fieldsV1 ?? {}, parts) }));
  const exact = owners.filter(({ owns }) => owns === 'field');
  return (exact.length > 0 ? exact : owners.filter(({ owns }) => owns === 'whole'))
    .map(({ entry }) => writerOf(entry))
    .sort((a, b) => compareText(b.time ?? '', a.time ?? ''));
}

/** Whether the API server keeps the same of who manages the fields of two states of an object. */
export const haveSameManagers = (one: KubernetesObject, other: KubernetesObject): boolean =>
  equalJson(managersIn(one), managersIn(other));

/** Without times: a dry run is later than what it is compared with. */
const managersIn = ({ metadata }: KubernetesObject): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    ((metadata.managedFields ?? []) as readonly ManagedFields[]).map(({ time: _time, ...entry }) => [
      [entry.manager, entry.operation, entry.subresource].join('\0'),
      entry,
    ]),
  );

/** Their names alone. */
export const managersOf = (object: KubernetesObject, parts: readonly PathPart[]): readonly string[] => [
  ...new Set(writersOf(object, parts).map(({ manager }) => manager)),
];

/** The fields at a place that a manager has by server-side apply; undefined where it has none there. */
export function appliedFields(
  { metadata }: KubernetesObject,
  manager: string,
  parts: readonly PathPart[],
): FieldSet | undefined {
  const managed = (metadata.managedFields ?? []) as readonly ManagedFields[];
  const own = managed.find((one) => one.manager === manager && one.operation === 'Apply' && !one.subresource);
  return parts.reduce<FieldSet | undefined>((fields, part) => fields && fieldsBehind(fields, part), own?.fieldsV1);
}

/** Whether a list or object around a field is one value for the API server, of which no part can be left out. */
export const isInsideWhole = ({ metadata }: KubernetesObject, parts: readonly PathPart[]): boolean =>
  ((metadata.managedFields ?? []) as readonly ManagedFields[]).some(
    ({ fieldsV1 = {} }) => ownership(fieldsV1, parts) === 'whole',
  );

/** Of a value what a manager has of it. */
export function ownPart(value: unknown, fields: FieldSet): unknown {
  const inside = Object.keys(fields).filter((key) => key !== '.');
  if (inside.length === 0) return value;
  if (Array.isArray(value))
    return value.flatMap((item) => {
      const own = itemIn(fields, item);
      return own === undefined ? [] : [ownPart(item, own)];
    });
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => {
      const own = fields[`f:${key}`];
      return own === undefined ? [] : [[key, ownPart(one, own)]];
    }),
  );
}

const writerOf = ({ manager = '', operation = '', time, subresource }: ManagedFields): FieldWriter => ({
  manager,
  operation,
  time,
  subresource: subresource || undefined,
});

/** Which of some fields of an object each manager owns, by their paths. */
export function fieldsByManager(
  { metadata }: KubernetesObject,
  fields: unknown,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { manager = '', fieldsV1 = {} } of (metadata.managedFields ?? []) as readonly ManagedFields[]) {
    const paths = ownedPaths(fieldsV1, fields, '');
    if (paths.length > 0) found.set(manager, [...new Set([...(found.get(manager) ?? []), ...paths])].sort());
  }
  return found;
}

function ownedPaths(owned: FieldSet, value: unknown, path: string): readonly string[] {
  const inside = Object.entries(owned).filter(([key]) => key !== '.' && !key.startsWith('v:'));
  if (inside.length === 0) return [path];
  return inside.flatMap(([key, fields]) => {
    if (key.startsWith('k:')) {
      const index = Array.isArray(value)
        ? value.findIndex((item) => itemIn({ [key]: fields }, item) !== undefined)
        : -1;
      return index < 0 ? [] : ownedPaths(fields, (value as readonly unknown[])[index], `${path}[${key.slice(2)}]`);
    }
    const name = key.slice(2);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return [];
    return ownedPaths(fields, (value as Fields)[name], path === '' ? name : `${path}.${name}`);
  });
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether a manager owns the field itself, or `whole`: a list or object around it, and nothing inside that. The latter
 * is how an atomic list is written down, but also a map of which others have all entries.
 */
function ownership(fields: FieldSet, parts: readonly PathPart[]): 'field' | 'whole' | undefined {
  const [part, ...rest] = parts;
  if (part === undefined) return 'field';
  const next = fieldsBehind(fields, part);
  if (next !== undefined) return ownership(next, rest);
  return Object.keys(fields).length === 0 ? 'whole' : undefined;
}

const fieldsBehind = (fields: FieldSet, part: PathPart): FieldSet | undefined =>
  typeof part === 'string' ? fields[`f:${part}`] : itemIn(fields, part.item);

/** `k:{"name":"main"}` names an item of a list by its keys, `v:"x"` a plain value of a set. */
function itemIn(fields: FieldSet, item: unknown): FieldSet | undefined {
  const found = Object.keys(fields).find((key) => {
    if (key.startsWith('v:')) return key === `v:${JSON.stringify(item)}`;
    if (!key.startsWith('k:') || typeof item !== 'object' || item === null) return false;
    const keys = JSON.parse(key.slice(2)) as Readonly<Record<string, unknown>>;
    return Object.entries(keys).every(([name, value]) => (item as Record<string, unknown>)[name] === value);
  });
  return found === undefined ? undefined : fields[found];
}
