import { valueAtKeys } from '../chart/tables.ts';
import { helperTexts, subchartsOfFile, type Templates, templateText } from '../chart/template-text.ts';
import { chartValuePlace } from '../chart/value-place.ts';
import type { FaultField, ObjectFault, ObjectOrigin, ValuePlace } from '../execute/faults.ts';
import type { FieldPath } from '../execute/refused-fields.ts';
import type { GoMap } from '../go/value.ts';
import { documentLine } from '../manifest/document-line.ts';
import { lineOfPath } from '../manifest/line-of.ts';
import type { ResourceId } from '../manifest/types.ts';
import type { Again } from '../render/again.ts';
import { type DocumentTrace, documentsOf } from '../render/document-trace.ts';
import { valueThatFills } from '../render/filled-by.ts';
import { influencesOn, type ReadField, type Scope, switchesOf } from '../render/influences.ts';
import { valuesIn } from '../render/refused-values.ts';
import { makerOfLine } from '../render/template-place.ts';
import { addedDetail, hasCode, TshelmError } from '../support/errors.ts';

/** What objects were made of. */
export interface Origins {
  readonly chart: Templates;
  /** Renders the chart's templates again; without it only the lines at which objects begin can be told. */
  readonly again?: Again | undefined;
  /** The user's values. */
  readonly config?: ReadonlyMap<string, unknown> | undefined;
}

/**
 * The same failure; its faults say at which line of their templates the objects begin, which lines made the fields that
 * have to be changed, and which values did, where rendering the template again tells.
 */
export function withTemplateLines(failure: unknown, origins: () => Origins): unknown {
  const faults = addedDetail(failure, 'objectFaults') ?? [];
  if (!(failure instanceof TshelmError) || faults.length === 0) return failure;
  try {
    const known = inTime(origins());
    const isUnserved = hasCode(failure, 'no-matches-for-kind');
    const objectFaults = faults.map((fault) => {
      const located = tried(() => locatedFault(fault, known)) ?? fault;
      if (!isUnserved || located.fields !== undefined) return located;
      return tried(() => withSwitch(located, known)) ?? located;
    });
    return failure.wrapped({ message: failure.message, details: { objectFaults } });
  } catch {
    // What failed is told in any case.
    return failure;
  }
}

/** So long may be looked for what made the fields of one failure: some templates make keys of RSA each time. */
const mostMs = 3000;

function inTime(origins: Origins): Origins {
  const { again } = origins;
  const untilMs = performance.now() + mostMs;
  const trace: Again['trace'] = (...given) => {
    if (performance.now() > untilMs) throw new Error('rendering again takes too long');
    return again?.trace(...given);
  };
  return again === undefined ? origins : { ...origins, again: { ...again, trace } };
}

/** What one fault's template does not tell is no harm to the others. */
function tried<R>(find: () => R): R | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

function locatedFault(fault: ObjectFault, origins: Origins): ObjectFault {
  const text = templateText(origins.chart, fault.file);
  const { file, line } = tried(() => placeOfPath(fault, [], origins)) ?? {};
  const guessed = text === undefined ? undefined : documentLine(text, fault.id);
  const begin = file === fault.file ? line : guessed;
  const fields = fault.fields?.map((field) => tried(() => locatedField(field, field.of ?? fault, origins)) ?? field);
  const located = { ...fault, ...(begin !== undefined && { line: begin }), ...(fields && { fields }) };
  return tried(() => withEmptyValue(located, origins)) ?? located;
}

/** The value without which a field is empty: its place, and that it has to be set. */
function withEmptyValue(fault: ObjectFault, origins: Origins): ObjectFault {
  const [field, ...others] = fault.fields ?? [];
  const { again, chart } = origins;
  if (again === undefined || field === undefined || field.of !== undefined) return fault;
  const read = readingOf(again, fault, field.path);
  const named = valuesNamedBy(chart, fault.file, field.written);
  const keys = valueThatFills(read, scopeOf(again, fault), named);
  if (keys === undefined) return fault;
  const place = valuePlace(keys, origins);
  const fixes = [`set ${nameOfKeys(keys)} with -f, with --set, or in values.yaml`, ...(fault.fixes ?? [])];
  return { ...fault, fields: [{ ...field, values: place === undefined ? [] : [place] }, ...others], fixes };
}

/** Those in the line that wrote the field, then those of its template, then those of helpers. */
function valuesNamedBy(chart: Templates, file: string, written = ''): readonly (readonly string[])[] {
  const texts = [written, templateText(chart, file) ?? '', ...helperTexts(chart)];
  return texts.flatMap((text) => valuesIn(text, file));
}

/** The line of a template that made a field of an object. */
function placeOfPath({ id, file }: ObjectOrigin, path: FieldPath, { again }: Origins, word?: string) {
  const documents = again && tracedDocuments(again, file);
  const document = documents?.find((one) => isOf(one, id));
  if (document === undefined) return undefined;
  const line = lineOfPath(document.text, path);
  const place = makerOfLine(document.trace, document.line + lineOfWord(document.text, line, word) - 1);
  return place && { ...place, document };
}

/** The first line from there that has the word: of a text of many lines not its first one. */
function lineOfWord(text: string, line: number, word: string | undefined): number {
  if (word === undefined) return line;
  const found = text.split('\n').findIndex((one, index) => index >= line - 1 && one.includes(word));
  return found < 0 ? line : found + 1;
}

function tracedDocuments(again: Again, file: string, values?: GoMap): readonly DocumentTrace[] {
  const trace = again.trace(file, values);
  return trace === undefined ? [] : documentsOf(trace);
}

const isOf = ({ object }: DocumentTrace, { kind, name }: Pick<ResourceId, 'kind' | 'name'>): boolean =>
  textAt(object, ['kind']) === kind && textAt(object, ['metadata', 'name']) === name;

const textAt = (object: unknown, path: FieldPath): string => String(valueAtPath(object, path) ?? '');

function locatedField(field: FaultField, owner: ObjectOrigin, origins: Origins): FaultField {
  const place = placeOfPath(owner, field.path, origins, field.word);
  if (place === undefined) return field;
  const { file, line, text } = place;
  return {
    ...field,
    line,
    ...(file !== owner.file && { file }),
    ...(isShown(text, owner.id.kind, field.path) && { written: text }),
    values: tried(() => valuePlaces(field, owner, origins)) ?? [],
  };
}

/** What is written out may be a secret, unless a template computes it or the field holds no free text. */
const isShown = (written: string, kind: string, path: FieldPath): boolean =>
  written.includes('{{') || (kind !== 'Secret' && path.length > 0 && !path.some((part) => freeText.has(String(part))));
const freeText: ReadonlySet<string> = new Set(['data', 'stringData', 'annotations', 'value', 'args', 'command']);

const maxValues = 3;

/** Where the values are set that the field was made of. */
function valuePlaces({ path, word }: FaultField, owner: ObjectOrigin, origins: Origins): readonly ValuePlace[] {
  const { again } = origins;
  if (again === undefined) return [];
  const made = influencesOn(readingOf(again, owner, path), scopeOf(again, owner), word);
  return made.slice(0, maxValues).flatMap((keys) => valuePlace(keys, origins) ?? []);
}

const scopeOf = ({ chart, values }: Again, { file }: ObjectOrigin): Scope => ({
  chart,
  values,
  subcharts: subchartsOfFile(file),
});

/** What the field of the object says with other values. Under another name it is the document in the same place. */
function readingOf(again: Again, { id, file }: ObjectOrigin, path: FieldPath): ReadField {
  const before = tracedDocuments(again, file);
  const index = before.findIndex((one) => isOf(one, id));
  return (values) => {
    const documents = tracedDocuments(again, file, values);
    const same = documents.length === before.length ? documents[index] : undefined;
    // Most changes leave it where it was: the others need not be read then.
    const document = same !== undefined && isOf(same, id) ? same : (documents.find((one) => isOf(one, id)) ?? same);
    const value = document && valueAtPath(document.object, path);
    return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
  };
}

const valueAtPath = (object: unknown, path: FieldPath): unknown =>
  path.reduce<unknown>(
    (at, part) => (typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[part] : undefined),
    object,
  );

/** The user's word goes before what the charts set. */
function valuePlace(keys: readonly string[], { chart, config }: Origins): ValuePlace | undefined {
  const name = nameOfKeys(keys);
  if (isSetBy(config, keys)) return { name, keys, isGiven: true };
  const place = chartValuePlace(chart, keys);
  return place && { name, file: place.file, line: place.line };
}

/** `themes[2].name` */
const nameOfKeys = (keys: readonly string[]): string =>
  keys.map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : `${index === 0 ? '' : '.'}${key}`)).join('');

/** Lists are given as a whole. */
function isSetBy(config: ReadonlyMap<string, unknown> | undefined, keys: readonly string[]): boolean {
  const item = keys.findIndex((key) => /^\d+$/.test(key));
  return (
    valueAtKeys(config, keys) !== undefined || (item > 0 && valueAtKeys(config, keys.slice(0, item)) !== undefined)
  );
}

/** An object that the cluster cannot hold: what made its apiVersion, and the value that leaves it out. */
function withSwitch(fault: ObjectFault, origins: Origins): ObjectFault {
  const { again } = origins;
  const field = locatedField({ path: ['apiVersion'] }, fault, origins);
  if (again === undefined || field.line === undefined) return fault;
  const keys = switchesOf(readingOf(again, fault, ['kind']), scopeOf(again, fault)).at(-1);
  const place = keys && valuePlace(keys, origins);
  if (place === undefined) return { ...fault, fields: [field] };
  const values = field.values?.length ? field.values : [place];
  const fixes = [...(fault.fixes ?? []), `or leave it out: set ${place.name} to false`];
  return { ...fault, fields: [{ ...field, values }], fixes };
}
