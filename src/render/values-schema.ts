import { fileText } from '../chart/file-text.ts';
import type { Chart } from '../chart/types.ts';
import { type ValueComment, valueComments } from '../chart/value-comments.ts';
import { readValues } from '../chart/values-file.ts';
import type { GoMap, Value } from '../go/value.ts';
import { isDigits } from '../support/text.ts';
import { chartReads } from './reads/chart-reads.ts';
import { anyKey, isValuesPart, type Part, type Shape } from './reads/part.ts';

/** JSON Schema, draft 7: of all that Helm 3 and Helm 4 read the newest. */
export type Schema = { readonly [keyword: string]: unknown };

/**
 * A values.schema.json of what a chart reads, with the types of values.yaml and what its comments say. What templates pass
 * on as a whole stays open, as do the values of subcharts: these have schemas of their own. What is given is accepted, and
 * so is what the chart's folder ci/ sets, whether something reads it or not; texts for `tpl` in what is given read values too.
 */
export function valuesSchema(chart: Chart, config: GoMap = new Map()): Schema {
  // What the chart's schema names now does not count.
  const root = chartReads({ ...chart, schema: undefined }, { config });
  const comments = valueComments(fileText(chart, 'values.yaml') ?? '');
  const accepted = [config, ...ciValues(chart)];
  const { properties, ...about } = new SchemaWriter(comments).schema([root], { value: chart.values, accepted }, []);
  const open = [...subchartNames(chart), 'global'];
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...about,
    type: 'object',
    properties: {
      ...(properties as object),
      ...Object.fromEntries(open.map((name) => [name, { type: 'object', ...textOf(comments.get(name)) }])),
      // What the conditions of parent charts mostly read: the parent sets it among the values of this one.
      ...(chart.values.has('enabled') ? {} : { enabled: {} }),
    },
  };
}

/** What chart-testing installs the chart with. */
const ciValues = ({ raw }: Chart): readonly Value[] =>
  raw.filter(({ name }) => /^ci\/[^/]*-values\.yaml$/.test(name)).map(({ data }) => readValues(data));

const subchartNames = ({ dependencies, metadata }: Chart): readonly string[] => {
  // A subchart that is switched off keeps its own name beside its alias.
  const listed = (metadata.dependencies ?? []).flatMap(({ name, alias }) => (alias ? [alias, name] : name));
  return [...listed, ...dependencies.map((child) => child.metadata.name)];
};

const textOf = (comment: ValueComment | undefined) => comment?.description && { description: comment.description };

/** So deep that only what calls itself gets there. */
const maxDepth = 12;

/** What is known of a value beside its reads. */
interface Known {
  /** Its default, undefined where it has none. */
  readonly value: Value;
  /** What else it is known to be in practice. */
  readonly accepted: readonly Value[];
}

class SchemaWriter {
  readonly #comments: ReadonlyMap<string, ValueComment>;

  constructor(comments: ReadonlyMap<string, ValueComment>) {
    this.#comments = comments;
  }

  schema(shape: Shape, known: Known, keys: readonly string[]): Schema {
    const comment = this.#comments.get(keys.join('.'));
    const parts = shape.filter(isValuesPart);
    const types = typesOf(parts, known, comment);
    const { type: _type, ...keywords } = comment?.keywords ?? {};
    return {
      ...textOf(comment),
      ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
      ...(keys.length < maxDepth && this.#inside(parts, known, keys)),
      ...keywords,
    };
  }

  #inside(parts: Shape, known: Known, keys: readonly string[]): Schema {
    const inList = Array.isArray(known.value) ? {} : this.#members(parts, known, keys);
    return known.value instanceof Map ? inList : { ...inList, ...this.#items(parts, known, keys) };
  }

  #members(parts: Shape, { value, accepted }: Known, keys: readonly string[]): Schema {
    const named = new Set(parts.flatMap(({ members }) => [...members.keys()]));
    const hasAny = named.delete(anyKey);
    const isOpen = isOpenFor(parts) || hasAny || (named.size === 0 && parts.every(({ members }) => members.size === 0));
    const defaults: ReadonlyMap<string, Value> = value instanceof Map ? value : new Map();
    const shown = isOpen ? [] : (this.#comments.get(keys.filter((key) => key !== anyKey).join('.'))?.shown ?? []);
    const set = isOpen ? [] : accepted.flatMap((one) => (one instanceof Map ? [...one.keys()] : []));
    const all = [...new Set([...defaults.keys(), ...[...named, ...shown, ...set].sort()])];
    const others = membersAt(parts, anyKey);
    const properties = all.map((key) => {
      const own = membersAt(parts, key);
      // Of what is passed on as a whole nobody here knows the types.
      const isUnknown = isOpen && own.length === 0;
      const known = { value: isUnknown ? undefined : defaults.get(key), accepted: accepted.flatMap(membersOf(key)) };
      return [key, this.schema(own.length === 0 ? [] : [...own, ...others], known, [...keys, key])] as const;
    });
    const described = properties.filter(([, schema]) => !isOpen || Object.keys(schema).length > 0);
    return {
      ...(described.length > 0 && { properties: Object.fromEntries(described) }),
      ...(isOpen
        ? others.length > 0 &&
          nonEmpty(
            'additionalProperties',
            this.schema(others, { value: undefined, accepted: accepted.flatMap(allMembers) }, [...keys, anyKey]),
          )
        : { additionalProperties: false }),
    };
  }

  #items(parts: Shape, { value, accepted }: Known, keys: readonly string[]): Schema {
    const inLists = [value, ...accepted].flatMap((one) => (Array.isArray(one) ? one : []));
    const items = parts.flatMap(({ members }) => [...members].flatMap(([key, shape]) => (isIndex(key) ? shape : [])));
    return items.length === 0 || isOpenFor(parts)
      ? {}
      : nonEmpty('items', this.schema(items, { value: undefined, accepted: inLists }, [...keys, anyKey]));
  }
}

const allMembers = (value: Value): readonly Value[] => (value instanceof Map ? [...value.values()] : []);

const membersOf =
  (key: string) =>
  (value: Value): readonly Value[] =>
    value instanceof Map && value.has(key) ? [value.get(key)] : [];

const nonEmpty = (keyword: string, schema: Schema): Schema =>
  Object.keys(schema).length === 0 ? {} : { [keyword]: schema };

const isIndex = (key: string): boolean => key === anyKey || /^\d+$/.test(key);

const membersAt = (parts: Shape, key: string): Shape =>
  parts.flatMap(({ members }) => members.get(key)?.filter(isValuesPart) ?? []);

/** It may have members that no template names. */
const isOpenFor = (parts: Shape): boolean => parts.some(({ isWhole, merged }: Part) => isWhole || merged.length > 0);

/** Those of its default and of its comment; none where it may have every type. */
function typesOf(parts: Shape, { value, accepted }: Known, comment: ValueComment | undefined): readonly string[] {
  const said = comment?.keywords?.['type'] ?? comment?.types ?? [];
  const isFree = value instanceof Map && value.size === 0 && isOpenFor(parts);
  const types = new Set<string>([
    ...typeOf(value),
    ...(isFree ? ['array'] : []),
    ...(Array.isArray(said) ? said : [said]),
  ]);
  if (types.size > 0) for (const one of [value, ...accepted]) for (const type of nullableTypeOf(one)) types.add(type);
  return types.has('any') || parts.some(({ isOfManyTypes }) => isOfManyTypes) ? [] : [...types];
}

const nullableTypeOf = (value: Value): readonly string[] => (value === null ? ['null'] : typeOf(value));

function typeOf(value: Value): readonly string[] {
  if (value === '') return ['string', 'number', 'boolean'];
  if (typeof value === 'string' && isDigits(value)) return ['string', 'number'];
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return [typeof value];
  if (Array.isArray(value)) return ['array'];
  return value instanceof Map ? ['object'] : [];
}
