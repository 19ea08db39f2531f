import { CelCompiler, type CelProgram } from '../../cel/engine.ts';
import { CelError } from '../../cel/error.ts';
import { optionalOf } from '../../cel/library/optional.ts';
import { schemaValue } from '../../cel/schema-values.ts';
import {
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  objectAt,
  objectsIn,
  textOf,
} from '../../support/json.ts';
import { duplicate, type FieldProblem, forbiddenField, invalidValue, required } from '../status.ts';

/** An object, what it was before a change, and who is told of what is no refusal. */
export interface RuleSubject {
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  readonly warn: ((text: string) => void) | undefined;
}

/** What the rules of a CRD say against an object (`x-kubernetes-validations`; apiextensions' schema/cel/validation.go). */
export function ruleProblems(schema: JsonObject, { object, old, warn }: RuleSubject): FieldProblem[] {
  const root = { ...schema, properties: { ...objectAt(schema, 'properties'), ...rootProperties } };
  const at: Place = { path: '', old, isUnchanged: old !== undefined && equalJson(object, old) };
  return problemsAt(root, object, at, warn);
}

const text = { type: 'string' };
const rootProperties = {
  apiVersion: text,
  kind: text,
  metadata: { type: 'object', properties: { name: text, generateName: text } },
};

interface Place {
  readonly path: string;
  /** What was there before the change, where that can be told. */
  readonly old: Json | undefined;
  /** Whether nothing has changed here: what fails then is only warned of. */
  readonly isUnchanged: boolean;
}

type Warn = RuleSubject['warn'];

function problemsAt(schema: JsonObject, value: Json | undefined, place: Place, warn: Warn): FieldProblem[] {
  if (value === undefined || value === null) return [];
  const own = objectsIn(schema['x-kubernetes-validations']).flatMap((rule) =>
    problemsOf(rule, schema, { value, place, warn }),
  );
  return [
    ...own,
    ...childrenOf(schema, value, place).flatMap(([child, item, at]) => problemsAt(child, item, at, warn)),
  ];
}

type Child = readonly [schema: JsonObject, value: Json | undefined, place: Place];

function childrenOf(schema: JsonObject, value: Json, place: Place): Child[] {
  const at = (path: string, item: Json | undefined, old: Json | undefined): Place => ({
    path,
    old,
    isUnchanged: old === undefined ? place.isUnchanged : equalJson(item, old),
  });
  if (Array.isArray(value)) {
    const items = objectAt(schema, 'items');
    if (items === undefined) return [];
    return value.map((item, index) => [
      items,
      item,
      at(`${place.path}[${index}]`, item, sameItem(schema, item, place.old)),
    ]);
  }
  if (!isJsonObject(value)) return [];
  const old = isJsonObject(place.old) ? place.old : undefined;
  const properties = objectAt(schema, 'properties') ?? {};
  const others = objectAt(schema, 'additionalProperties');
  return Object.entries(value).flatMap(([name, item]): Child[] => {
    const property = properties[name];
    const path = isJsonObject(property) ? [place.path, name].filter(Boolean).join('.') : `${place.path}[${name}]`;
    const child = isJsonObject(property) ? property : others;
    return child === undefined ? [] : [[child, item, at(path, item, old?.[name])]];
  });
}

/** The item with the same keys, of a list that is a map. */
function sameItem(schema: JsonObject, item: Json, old: Json | undefined): Json | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map' || !isJsonObject(item)) return undefined;
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []) as string[];
  return objectsIn(old).find((one) => keys.every((key) => equalJson(one[key], item[key])));
}

/** What a rule is asked about. */
interface Asked {
  readonly value: Json;
  readonly place: Place;
  readonly warn: Warn;
}

function problemsOf(rule: JsonObject, schema: JsonObject, { value, place, warn }: Asked): FieldProblem[] {
  const source = textOf(rule.rule)?.trim() ?? '';
  const program = compiled(source);
  if (program instanceof CelError) {
    warn?.(`the rule '${source}' of the CustomResourceDefinition was not judged: ${program.message}`);
    return [];
  }
  const usesOld = program.names.has('oldSelf');
  const isOptional = rule.optionalOldSelf === true;
  if (usesOld && place.old === undefined && !isOptional) return [];
  const old = place.old === undefined ? undefined : schemaValue(schema, place.old);
  const values = { self: schemaValue(schema, value), oldSelf: isOptional ? optionalOf(old) : old };
  const message = textOf(rule.message)?.trim();
  try {
    if (program.evaluate(values) === true) return [];
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    const field = place.path || nowhere;
    return [invalidValue(field, textOf(schema.type) ?? '', failureText(error.message, message ?? source))];
  }
  const path = place.path + (textOf(rule.fieldPath) ?? '');
  const detail = writtenMessage(textOf(rule.messageExpression), values) ?? message ?? `failed rule: ${source}`;
  const problem = problemFor(textOf(rule.reason), {
    path: place.path === '' ? path.replace(/^\./, '') : path,
    schema,
    value,
    detail,
  });
  if (usesOld || !place.isUnchanged) return [problem];
  warn?.(`${problem.field}: ${problem.message}`);
  return [];
}

const failureText = (error: string, rule: string): string =>
  error.startsWith('no such overload')
    ? `'${error}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`
    : `${error} evaluating rule: ${rule}`;

interface Failed {
  readonly path: string;
  readonly schema: JsonObject;
  readonly value: Json;
  readonly detail: string;
}

function problemFor(reason: string | undefined, { path, schema, value, detail }: Failed): FieldProblem {
  const field = path || nowhere;
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return duplicate(field, value);
    default:
      return invalidOf(path, schema, value, detail);
  }
}

/** How the API server writes the path of the whole object. */
const nowhere = '<nil>';

/** Objects and lists are not shown. */
function invalidOf(path: string, { type }: JsonObject, value: Json, detail: string): FieldProblem {
  const field = path || nowhere;
  if (type !== 'object' && type !== 'array') return invalidValue(field, value, detail);
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${detail}` };
}

/** What `messageExpression` says, if that is one line. */
function writtenMessage(source: string | undefined, values: Readonly<Record<string, unknown>>): string | undefined {
  const program = source ? compiled(source) : undefined;
  if (program === undefined || program instanceof CelError) return undefined;
  try {
    const written = program.evaluate(values);
    const line = typeof written === 'string' ? written.trim() : '';
    return line === '' || line.includes('\n') ? undefined : line;
  } catch (error) {
    if (error instanceof CelError) return undefined;
    throw error;
  }
}

const compiler = new CelCompiler(['self', 'oldSelf']);
const programs = new Map<string, CelProgram | CelError>();

function compiled(source: string): CelProgram | CelError {
  const known = programs.get(source);
  if (known !== undefined) return known;
  let program: CelProgram | CelError;
  try {
    program = compiler.compile(source);
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    program = error;
  }
  programs.set(source, program);
  return program;
}
