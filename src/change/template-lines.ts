import { valueIn } from '../chart/tables.ts';
import { templateText } from '../chart/template-text.ts';
import { fieldPlace, type ObjectOrigin } from '../execute/faults.ts';
import { documentLine } from '../manifest/document-line.ts';
import { type FieldPath, valueAtPath } from '../manifest/field-path.ts';
import { lineOfPath } from '../manifest/line-of.ts';
import type { Fact } from '../problem/fact.ts';
import { type FieldPlace, fieldsIn, type ValuePlace } from '../problem/place.ts';
import { isOfObject, type ObjectProblem, type Problem } from '../problem/problem.ts';
import type { Remedy } from '../problem/remedy.ts';
import { documentOf } from '../render/document-trace.ts';
import { isShownIn, isUnset, switchesOf, unsetValuesOf, valuesOfField } from '../render/field-values.ts';
import { helpersOfLine, makerOfLine, type TemplatePlace } from '../render/template-place.ts';
import { isSetBy, type ObjectOrigins, valuePlace } from '../render/value-origins.ts';
import { indentCallIn } from '../render/yaml-problem.ts';
import { addedDetail, TshelmError } from '../support/errors.ts';
import { keyColumn, unquoted } from '../support/text.ts';
import { withCorrectedValues, withEmptyValue } from './values-to-set.ts';

/**
 * The same failure; its problems say at which line of their templates the objects begin, which lines made the fields that
 * have to be changed, and which values did, where rendering the template again tells.
 */
export function withTemplateLines(failure: unknown, origins: () => ObjectOrigins): unknown {
  const found = addedDetail(failure, 'problems') ?? [];
  if (!(failure instanceof TshelmError) || found.length === 0) return failure;
  try {
    const known = origins();
    const problems = found.map((problem) => problemWithLines(problem, known));
    return failure.wrapped({ message: failure.message, details: { problems } });
  } catch {
    // What failed is told in any case.
    return failure;
  }
}

/** A problem with the lines of the template and the values that made its fields, as far as they can be found. */
export function problemWithLines(problem: Problem, origins: ObjectOrigins): Problem {
  if (!isOfObject(problem)) return problem;
  const located = undefinedOnError(() => locatedProblem(problem, origins)) ?? problem;
  if (located.cause.code !== 'kind-unknown' || located.places.length > 0) return located;
  return undefinedOnError(() => withEnablingValue(located, origins)) ?? located;
}

/** The template may fail when it is rendered again, or differ: then its fault goes without a line. */
function undefinedOnError<R>(find: () => R): R | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

function locatedProblem(problem: ObjectProblem, origins: ObjectOrigins): ObjectProblem {
  const { subject } = problem;
  const text = templateText(origins.chart, subject.template);
  const { file, line } = undefinedOnError(() => placeOfPath(subject, [], origins)) ?? {};
  const guessed = text === undefined ? undefined : documentLine(text, subject.id);
  const begin = file === subject.template ? line : guessed;
  const places = problem.places.map((place) => {
    if (place.kind !== 'field') return place;
    const located = undefinedOnError(() => locatedField(place, origins, isUndeclared(problem)));
    if (located === undefined) return place;
    return withSafeTexts({ ...located, values: tellingValues(located, problem, origins) }, problem, origins);
  });
  const [first] = fieldsIn(places);
  const remedies = problem.remedies.map((remedy) => withIndent(withKeys(remedy, first), first, origins));
  const located = {
    ...problem,
    subject: { ...subject, ...(begin !== undefined && { line: begin }) },
    places,
    remedies,
  };
  const filled = undefinedOnError(() => withEmptyValue(located, origins)) ?? located;
  return undefinedOnError(() => withCorrectedValues(filled, origins)) ?? filled;
}

/** The values of a field that may be why it is wrong. */
function tellingValues(field: FieldPlace, problem: Problem, origins: ObjectOrigins): readonly ValuePlace[] {
  const { values = [], path } = field;
  const name = String(path.at(-1));
  const valueOf = ({ keys }: ValuePlace) => valueIn(origins.again?.values, keys);
  const names = (one: ValuePlace): boolean => {
    const value = valueOf(one);
    return one.keys.at(-1) === name || (typeof value === 'string' && value.includes(name));
  };
  // What else is in its holder does not say why a field is not there.
  if (isAbsent(problem, path)) return [];
  // A template may name it, whatever is below it.
  if (isUndeclared(problem)) return [...values.filter(names), ...namedAbove(name, field, origins)];
  // What is empty gave a name no part.
  if (problem.cause.code.startsWith('reference-')) return values.filter((one) => !isUnset(valueOf(one)));
  return values;
}

/** Of a field that a template prints from a map, the key of that map, above what it says: `resources.requsts`. */
function namedAbove(
  name: string,
  { lines = [], values = [] }: FieldPlace,
  origins: ObjectOrigins,
): readonly ValuePlace[] {
  const written = lines.map(({ file, line = 0 }) => templateText(origins.chart, file)?.split('\n')[line - 1]);
  if (written.some((one) => one?.includes(`${name}:`))) return [];
  const above = values.flatMap(({ keys }) => {
    const at = keys.lastIndexOf(name);
    return at < 0 || at === keys.length - 1 ? [] : [keys.slice(0, at + 1)];
  });
  return above.slice(0, 1).flatMap((keys) => valuePlace(keys, origins) ?? []);
}

const isAbsent = ({ cause }: Problem, path: FieldPath): boolean =>
  cause.code === 'field-required' && path.at(-1) !== cause.field.split('.').at(-1);

/** Where a field does not belong, what brought it there is to be changed rather than what it says. */
const isUndeclared = ({ cause }: Problem): boolean => cause.code === 'field-unknown';

/** A type is that of the value, where the field is made of one alone. */
function withKeys(remedy: Remedy, field: FieldPlace | undefined): Remedy {
  const [value, another] = field?.values ?? [];
  if (remedy.kind !== 'change-type' || value === undefined || another !== undefined) return remedy;
  // A number that the template puts into quotes.
  if (remedy.type !== 'string' && value.text === remedy.value) return remedy;
  return { ...remedy, keys: value.keys };
}

/** How far something is to be indented, where its line says how far it is: `nindent 2`. */
function withIndent(remedy: Remedy, field: FieldPlace | undefined, origins: ObjectOrigins): Remedy {
  const call = indentCallIn(field?.lines?.[0]?.written ?? '');
  if (remedy.kind !== 'indent' || field === undefined || call === undefined) return remedy;
  const by = undefinedOnError(() => missingIndent(field, remedy.below[0] ?? [], origins)) ?? 2;
  return { ...remedy, from: call.text, to: call.withIndent(call.by + by) };
}

/** How much deeper a field has to stand to be below another one. */
function missingIndent(field: FieldPlace, below: FieldPath, { again }: ObjectOrigins): number | undefined {
  const document = again && documentOf(again, field.template, field.object);
  if (document === undefined) return undefined;
  const lines = document.text.split('\n');
  const columnOf = (path: FieldPath): number => keyColumn(lines[lineOfPath(document.text, path) - 1] ?? '');
  const by = columnOf(below) + 2 - columnOf(field.path);
  return by > 0 ? by : undefined;
}

/**
 * Where a word of a field is written: the line of the template or, where a helper, a loop or `tpl` only passes on what a
 * value says, that value; undefined where rendering it again does not tell.
 */
export function placeOfWord(field: FieldPlace, origins: ObjectOrigins): TemplatePlace | ValuePlace | undefined {
  const { path, word } = field;
  const line = undefinedOnError(() => placeOfPath(ownerOf(field), path, origins, word));
  const isPassedOn = line !== undefined && (line.includers !== undefined || /^(- )?\{\{/.test(line.text));
  if (word === undefined || !isPassedOn) return line;
  const values = undefinedOnError(() => valuePlaces(field, origins)) ?? [];
  return values.find(({ keys }) => isShownIn(word, valueIn(origins.again?.values, keys))) ?? line;
}

/** The line of a template that made a field of an object. */
function placeOfPath({ id, template: file }: ObjectOrigin, path: FieldPath, { again }: ObjectOrigins, word?: string) {
  const document = again && documentOf(again, file, id);
  if (document === undefined) return undefined;
  const line = lineOfPath(document.text, path);
  const rendered = document.line + lineOfWord(document.text, line, word) - 1;
  const place = makerOfLine(document.trace, rendered);
  return place && { ...place, helpers: helpersOfLine(document.trace, rendered) };
}

/** The first line from there that has the word: of a text of many lines not its first one. */
function lineOfWord(text: string, line: number, word: string | undefined): number {
  if (word === undefined) return line;
  const found = text.split('\n').findIndex((one, index) => index >= line - 1 && one.includes(word));
  return found < 0 ? line : found + 1;
}

function locatedField(field: FieldPlace, origins: ObjectOrigins, isMisplaced = false): FieldPlace {
  const owner = ownerOf(field);
  const place = placeOfPath(owner, field.path, origins, field.word);
  if (place === undefined) return field;
  // The line that indents what is in the wrong place is the one to change.
  const includers = isMisplaced ? [place, ...(place.includers ?? [])] : [place];
  const includer = includers.find((one) => indentCallIn(one.text) !== undefined) ?? includers.at(-1) ?? place;
  const { file, line, text } = includer;
  const all = includer === place ? place.helpers : [place, ...place.helpers];
  const helpers = all.filter((one) => one.file !== file || one.line !== line);
  return {
    ...field,
    lines: [{ file, line, text }, ...helpers].map((one) => ({
      kind: 'template',
      file: one.file,
      line: one.line,
      ...(isShown(one.text, field.object.kind, field.path) && { written: one.text }),
    })),
    values: undefinedOnError(() => valuePlaces(field, origins)) ?? [],
  };
}

/** The object that has the field. */
const ownerOf = ({ object, template }: FieldPlace): ObjectOrigin => ({ id: object, template });

/** What is written out may be a secret, unless a template computes it or the field holds no free text. */
const isShown = (written: string, kind: string, path: FieldPath): boolean =>
  written.includes('{{') || (kind !== 'Secret' && path.length > 0 && !path.some((part) => freeText.has(String(part))));
const freeText: ReadonlySet<string> = new Set(['data', 'stringData', 'annotations', 'value', 'args', 'command']);

/** What is told of values by more than their place: those of a field that holds no free text, or that the cause names anyway. */
function withSafeTexts(field: FieldPlace, { cause }: Problem, { again }: ObjectOrigins): FieldPlace {
  const document = again && undefinedOnError(() => documentOf(again, field.template, field.object));
  const made = document && valueAtPath(document.object, field.path);
  const isPlain = isShown('', field.object.kind, field.path) && made !== undefined && typeof made !== 'object';
  const isSafe = (text: string): boolean =>
    isPlain || ['true', 'false'].includes(text) || namesText(cause, unquoted(text));
  const values = field.values?.map((value) =>
    value.text === undefined || isSafe(value.text) ? value : { ...value, text: undefined },
  );
  return { ...field, values };
}

/** Whether a part of the fact, which is printed anyway, contains a text. */
const namesText = (fact: Fact, text: string): boolean =>
  Object.values(fact).some((part) => typeof part === 'string' && part.includes(text));

const maxValues = 3;

/** Where the values are set that the field was made of. */
function valuePlaces(field: FieldPlace, origins: ObjectOrigins): readonly ValuePlace[] {
  const { again } = origins;
  if (again === undefined) return [];
  const { path, word } = field;
  const document = documentOf(again, field.template, field.object);
  if (document === undefined) return [];
  const made = valuesOfField(document, path, again.values, word);
  // Of an image its tag is mostly what is wrong, also one that is empty and so that of the chart.
  const isTag = (keys: readonly string[]): boolean => path.at(-1) === 'image' && keys.at(-1) === 'tag';
  const unset = unsetValuesOf(document, path, again.values);
  const likely = [...[...made, ...unset].filter(isTag), ...made.filter((keys) => !isTag(keys))];
  const places = likely.flatMap((keys) => valuePlace(keys, origins) ?? []);
  // What the user has set is at fault rather than what the chart sets beside it.
  const given = places.filter(({ isGiven }) => isGiven === true);
  return (given.length > 0 ? given : places).slice(0, maxValues);
}

/** An object that the cluster cannot hold: what made its apiVersion, and the value that leaves it out. */
function withEnablingValue(problem: ObjectProblem, origins: ObjectOrigins): ObjectProblem {
  const { again } = origins;
  const { subject } = problem;
  const field = locatedField(fieldPlace(subject, { path: ['apiVersion'] }), origins);
  if (again === undefined || field.lines === undefined) return problem;
  const document = documentOf(again, subject.template, subject.id);
  const switches = document === undefined ? [] : switchesOf(document, again.values);
  // What the user has switched on rather than what the chart does by itself.
  const keys = switches.findLast((one) => isSetBy(origins.config, one)) ?? switches.at(-1);
  const place = keys && valuePlace(keys, origins);
  if (place === undefined) return { ...problem, places: [field] };
  const values = field.values?.length ? field.values : [place];
  const off: Remedy = { kind: 'set-value', keys: place.keys, value: 'false' };
  return { ...problem, places: [{ ...field, values }], remedies: [...problem.remedies, off] };
}
