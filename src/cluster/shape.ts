import { trimPrefix } from '../support/text.ts';
/** What a value from outside must look like before it is used; null and what is missing are Go's empty value. */
export type Shape =
  | 'any'
  | 'string'
  | 'bool'
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'map'; readonly of: Shape }
  | Struct;

export interface Struct {
  readonly kind: 'struct';
  /** Go's name of the type. */
  readonly name: string;
  /** Fields that are not named may hold anything. */
  readonly fields: Readonly<Record<string, Shape>>;
}

/** What a value is that fits a shape. */
export type Shaped<S> = S extends 'string'
  ? string
  : S extends 'bool'
    ? boolean
    : S extends { readonly kind: 'list'; readonly of: infer Of }
      ? readonly Shaped<Of>[]
      : S extends { readonly kind: 'map'; readonly of: infer Of }
        ? Readonly<Record<string, Shaped<Of>>>
        : S extends { readonly kind: 'struct'; readonly fields: infer Fields }
          ? { readonly [Name in keyof Fields]?: Shaped<Fields[Name]> | null | undefined }
          : unknown;

export const listOf = <const S extends Shape>(of: S) => ({ kind: 'list', of }) as const;
export const mapOf = <const S extends Shape>(of: S) => ({ kind: 'map', of }) as const;
export const struct = <const F extends Struct['fields']>(name: string, fields: F) =>
  ({ kind: 'struct', name, fields }) as const;

/** Where a value has another type than its shape. */
export interface Misfit {
  /** The struct that the field belongs to; '' for the value itself. */
  readonly struct: string;
  readonly path: readonly (string | number)[];
  /** Its type in JSON: `number`, `array`, … */
  readonly got: string;
  readonly wanted: Shape;
}

/** The first misfit of a value; undefined where it fits. */
export function misfitOf(value: unknown, shape: Shape): Misfit | undefined {
  return findMisfit(value, shape, '');
}

/** `struct`: the one around the value. Every answer of the server is read through here, so only a misfit gets a path. */
function findMisfit(value: unknown, wanted: Shape, struct: string): Misfit | undefined {
  if (value === null || value === undefined || wanted === 'any') return undefined;
  const got = jsonType(value);
  const misfit = (): Misfit => ({ struct, path: [], got, wanted });
  if (typeof wanted === 'string') return got === wanted ? undefined : misfit();
  if (wanted.kind === 'list') {
    if (!Array.isArray(value)) return misfit();
    return firstOf(value.entries(), (_index, item) => itemMisfit(item, wanted.of, struct));
  }
  if (got !== 'object') return misfit();
  const members = Object.entries(value);
  if (wanted.kind === 'map') return firstOf(members, (_key, member) => findMisfit(member, wanted.of, struct));
  return firstOf(members, (key, member) => {
    const field = Object.hasOwn(wanted.fields, key) ? wanted.fields[key] : undefined;
    return field && findMisfit(member, field, wanted.name);
  });
}

/** An object that is missing in a list would be one without a name. */
const itemMisfit = (item: unknown, wanted: Shape, struct: string): Misfit | undefined =>
  item === null && typeof wanted !== 'string' && wanted.kind === 'struct'
    ? { struct, path: [], got: 'null', wanted }
    : findMisfit(item, wanted, struct);

function firstOf<K extends string | number, V>(
  entries: Iterable<[K, V]>,
  find: (key: K, value: V) => Misfit | undefined,
): Misfit | undefined {
  for (const [key, value] of entries) {
    const found = find(key, value);
    if (found !== undefined) return { ...found, path: [key, ...found.path] };
  }
  return undefined;
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/** `items[0].metadata.name is a number, not a string` */
export function plainMisfit({ path, got, wanted }: Misfit): string {
  const where = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return `${trimPrefix(where, '.') || 'it'} is ${withArticle(got)}, not ${withArticle(plainType(wanted))}`;
}

const plainType = (shape: Shape): string =>
  typeof shape === 'string' ? shape : shape.kind === 'list' ? 'array' : 'object';
const withArticle = (type: string): string => (type === 'null' ? type : `${/^[ao]/.test(type) ? 'an' : 'a'} ${type}`);

/** The same in the words of Go's encoding/json. */
export function goMisfit({ struct: name, path, got, wanted }: Misfit): string {
  const field = path.filter((part) => typeof part === 'string').join('.');
  return `json: cannot unmarshal ${got} into Go struct field ${name}.${field} of type ${goType(wanted)}`;
}

function goType(shape: Shape): string {
  if (typeof shape === 'string') return shape;
  if (shape.kind === 'struct') return `v1.${shape.name}`;
  return `${shape.kind === 'list' ? '[]' : 'map[string]'}${goType(shape.of)}`;
}
