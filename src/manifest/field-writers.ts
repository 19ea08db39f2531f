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

interface FieldSet {
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

const writerOf = ({ manager = '', operation = '', time, subresource }: ManagedFields): FieldWriter => ({
  manager,
  operation,
  time,
  subresource: subresource || undefined,
});

/**
 * Whether a manager owns the field itself, or `whole`: a list or object around it, and nothing inside that. The latter
 * is how an atomic list is written down, but also a map of which others have all entries.
 */
function ownership(fields: FieldSet, parts: readonly PathPart[]): 'field' | 'whole' | undefined {
  const [part, ...rest] = parts;
  if (part === undefined) return 'field';
  const next = typeof part === 'string' ? fields[`f:${part}`] : itemIn(fields, part.item);
  if (next !== undefined) return ownership(next, rest);
  return Object.keys(fields).length === 0 ? 'whole' : undefined;
}

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
