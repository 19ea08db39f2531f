import {
  builtInType,
  fieldType,
  type MapType,
  resolveType,
  type Type,
  typeOfAnyVersion,
} from '../kinds/field-types.ts';
import { groupOf } from '../manifest/resource-id.ts';
import { Lines } from '../support/lines.ts';
import type { ChartView } from './chart-view.ts';
import type { Hover } from './hover-type.ts';
import { objectAt } from './rendered-object.ts';
import { keysAround } from './value-keys.ts';

/** Where in an object a line of a template is. */
export interface ObjectPlace {
  readonly apiVersion: string;
  readonly kind: string;
  /** The keys around the line; items of lists are `*`. */
  readonly path: readonly string[];
}

/** A field that may appear in a line. */
export interface Field {
  readonly name: string;
  readonly type: Type;
}

/**
 * The object that a line of a template belongs to, and where in it: by the lines above it, or else by what the template
 * rendered there last. `indent`: of what is written in the line.
 */
export function placeInObject(view: ChartView, file: string, line: number, indent: number): ObjectPlace | undefined {
  const lines = new Lines(view.text(file) ?? '');
  let first = line;
  while (first > 0 && !lines.line(first - 1).startsWith('---')) first -= 1;
  let last = line;
  while (last + 1 < lines.count && !lines.line(last + 1).startsWith('---')) last += 1;
  const path = keysAround(lines, line, indent, first);
  const kind = wordAfter('kind', lines, first, last);
  const apiVersion = wordAfter('apiVersion', lines, first, last);
  if (kind !== undefined && apiVersion !== undefined) return { kind, apiVersion, path };
  const made = objectAt(view, file, lines.offsetAt({ line, character: 0 }));
  if (made === undefined) return undefined;
  return kind === undefined
    ? {
        kind: made.kind,
        apiVersion: made.apiVersion,
        path: [...made.path.slice(0, made.path.length - path.length), ...path],
      }
    : { kind, apiVersion: made.apiVersion, path };
}

/** What a key at the beginning of a line says, where that is no action. */
function wordAfter(key: string, lines: Lines, first: number, last: number): string | undefined {
  for (let at = first; at <= last; at++) {
    const found =
      lines.line(at).startsWith(`${key}:`) && /^\w+:\s*["']?([\w./-]+)["']?\s*(?:#.*)?$/.exec(lines.line(at));
    if (found) return found[1];
  }
  return undefined;
}

const typeOf = ({ apiVersion, kind }: ObjectPlace): Type | undefined =>
  builtInType(apiVersion, kind) ?? (typeOfAnyVersion(groupOf(apiVersion), kind) as Type | undefined);

/** The type behind keys; undefined where a kind has no such field. */
function typeAt(type: Type | undefined, path: readonly string[]): Type | undefined {
  let at = type;
  for (const key of path) {
    if (at?.kind === 'list') {
      at = resolveType(at.element);
      if (key === '*') continue;
    }
    const reference = at?.kind === 'map' ? fieldType(at, key) : undefined;
    if (reference === undefined) return undefined;
    at = resolveType(reference);
  }
  return at;
}

/** The fields that may appear at a place, with their types. */
export function fieldsAt(place: ObjectPlace): readonly Field[] {
  const found = typeAt(typeOf(place), place.path);
  const type = found?.kind === 'list' ? resolveType(found.element) : found;
  if (type?.kind !== 'map') return [];
  return Object.entries(type.fields ?? {}).map(([name, reference]) => ({ name, type: resolveType(reference) }));
}

/** `string`, `list of Container`, `map of string` */
export function typeText(type: Type): string {
  switch (type.kind) {
    case 'any':
      return 'anything';
    case 'scalar':
      return type.of;
    case 'list':
      return `list of ${typeText(resolveType(type.element))}`;
    case 'map':
      return structText(type);
  }
}

const structText = ({ name, element }: MapType): string =>
  name ?? (element === undefined ? 'map' : `map of ${typeText(resolveType(element))}`);

/** What a key of an object is, in the text of a template. */
export function kubernetesField(view: ChartView, file: string, offset: number): Hover | undefined {
  const lines = new Lines(view.text(file) ?? '');
  const { line } = lines.positionAt(offset);
  const found = /^(\s*(?:- +)*)([\w-]+):/.exec(lines.line(line));
  const [, before = '', name = ''] = found ?? [];
  const from = lines.offsetAt({ line, character: before.length });
  if (found === null || offset < from || offset > from + name.length) return undefined;
  const place = placeInObject(view, file, line, before.length);
  const field = place && fieldsAt(place).find((one) => one.name === name);
  if (place === undefined || field === undefined) return undefined;
  const path = [...place.path, name].join('.').replaceAll('.*', '[]');
  return { markdown: `\`${place.kind}\` \`${path}\`: ${typeText(field.type)}`, from, until: from + name.length };
}
