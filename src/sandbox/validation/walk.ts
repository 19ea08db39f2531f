import { fieldType, isAlwaysThere, type MapType, resolveType, type Type } from '../../kinds/field-types.ts';
import { isJsonObject, type Json, type JsonObject } from '../../support/json.ts';
import type { FieldProblem } from '../status.ts';
import { type Struct, unread } from './struct.ts';
import { structRules } from './structs/all.ts';

/** What the rules of the API's structs say against an object: each struct of it is judged wherever it is. */
export const structProblems = (type: Type, object: JsonObject): FieldProblem[] =>
  type.kind === 'map' ? problemsOfStruct(type, object, '', undefined) : [];

function problemsOfStruct(type: MapType, value: JsonObject, path: string, above: Struct | undefined): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const struct: Struct = { name: type.name ?? '', value, path, above, problems };
  const rules = structRules[struct.name] ?? {};
  const always = Object.keys(type.fields ?? {}).filter((name) => isAlwaysThere(type.fields?.[name]));
  // In the order of the rules, which is that of Kubernetes' validation; then what has no rule of its own.
  for (const name of new Set([...Object.keys(rules), ...Object.keys(value), ...always])) {
    // An object's own metadata is judged by its kind; its status is the server's.
    if (above === undefined && (name === 'metadata' || name === 'status')) continue;
    const place = name === '' || path === '' ? `${path}${name}` : `${path}.${name}`;
    const found = rules[name]?.(name === '' ? value : value[name], place, struct) ?? [];
    if (found === unread && name === '') return [];
    problems.push(...found);
    if (name === '' || found === unread || problems.some((each) => isForbidden(each, place))) continue;
    problems.push(...problemsOfField(type, name, place, struct));
  }
  return problems;
}

/** What may not be there is not judged itself. */
const isForbidden = ({ reason, field }: FieldProblem, place: string): boolean =>
  field === place && reason === 'FieldValueForbidden';

function problemsOfField(type: MapType, name: string, place: string, struct: Struct): FieldProblem[] {
  const reference = fieldType(type, name);
  if (reference === undefined) return [];
  const below = resolveType(reference);
  // Some structs are there in every object of their Go type, empty or not.
  const value = struct.value[name] ?? (below.kind === 'map' && isAlwaysThere(reference) ? {} : undefined);
  return problemsBelow(below, value, place, struct);
}

function problemsBelow(type: Type, value: Json | undefined, path: string, struct: Struct): FieldProblem[] {
  if (type.kind === 'list' && Array.isArray(value)) {
    const element = resolveType(type.element);
    return value.flatMap((item, index) => problemsBelow(element, item, `${path}[${index}]`, struct));
  }
  if (type.kind !== 'map' || !isJsonObject(value)) return [];
  if (type.fields !== undefined) return problemsOfStruct(type, value, path, struct);
  const element = resolveType(type.element ?? 'x');
  return Object.entries(value).flatMap(([key, item]) => problemsBelow(element, item, `${path}[${key}]`, struct));
}
