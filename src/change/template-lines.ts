import { templateText } from '../chart/template-text.ts';
import type { FaultField, ObjectFault, ObjectOrigin, ValuePlace } from '../execute/faults.ts';
import { documentLine } from '../manifest/document-line.ts';
import { type FieldPath, valueAtPath } from '../manifest/field-path.ts';
import { lineOfPath } from '../manifest/line-of.ts';
import { documentOf } from '../render/document-trace.ts';
import { switchesOf, valuesOfField } from '../render/field-values.ts';
import { helpersOfLine, makerOfLine } from '../render/template-place.ts';
import { addedDetail, hasCode, TshelmError } from '../support/errors.ts';
import { isSetBy, type Origins, valuePlace } from './value-origins.ts';
import { withCorrectedValues, withEmptyValue } from './values-to-set.ts';

/**
 * The same failure; its faults say at which line of their templates the objects begin, which lines made the fields that
 * have to be changed, and which values did, where rendering the template again tells.
 */
export function withTemplateLines(failure: unknown, origins: () => Origins): unknown {
  const faults = addedDetail(failure, 'objectFaults') ?? [];
  if (!(failure instanceof TshelmError) || faults.length === 0) return failure;
  try {
    const known = origins();
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
  const fields = fault.fields?.map((field) => {
    const located = tried(() => locatedField(field, field.of ?? fault, origins, isUndeclared(fault)));
    return located === undefined ? field : withSafeTexts(located, fault, origins);
  });
  const fixes = fault.fixes?.map((fix) => namingIndent(namingValue(fix, fields?.[0]), fields?.[0]));
  const located = {
    ...fault,
    ...(begin !== undefined && { line: begin }),
    ...(fields && { fields }),
    ...(fixes && { fixes }),
  };
  const filled = tried(() => withEmptyValue(located, origins)) ?? located;
  return tried(() => withCorrectedValues(filled, origins)) ?? filled;
}

/** Where a field does not belong, what brought it there is to be changed rather than what it says. */
const isUndeclared = ({ problem = '' }: ObjectFault): boolean => /not declared in schema|unknown field/.test(problem);

/** `spec.replicas must be a number` as what has to be changed: `web.replicas must be a number`. */
function namingValue(fix: string, field: FaultField | undefined): string {
  const [value, another] = field?.values ?? [];
  return value === undefined || another !== undefined ? fix : fix.replace(/^\S+(?= must be )/, () => value.name);
}

/** `indent app further: …` as what has to be changed where the line says how far: `write nindent 4 instead of nindent 2: …`. */
function namingIndent(fix: string, field: FaultField | undefined): string {
  const [, how, by] = /\b(n?indent) (\d+)/.exec(field?.written ?? '') ?? [];
  if (by === undefined) return fix;
  return fix.replace(/^indent \S+ further(?=:)/, `write ${how} ${Number(by) + 2} instead of ${how} ${by}`);
}

/** The line of a template that made a field of an object. */
function placeOfPath({ id, file }: ObjectOrigin, path: FieldPath, { again }: Origins, word?: string) {
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

function locatedField(field: FaultField, owner: ObjectOrigin, origins: Origins, isMisplaced = false): FaultField {
  const place = placeOfPath(owner, field.path, origins, field.word);
  if (place === undefined) return field;
  const { file, line, text } = (isMisplaced && place.broughtBy) || place;
  const shown = (written: string) => (isShown(written, owner.id.kind, field.path) ? { written } : {});
  const all = isMisplaced && place.broughtBy ? [place, ...place.helpers] : place.helpers;
  const helpers = all.filter((one) => one.file !== file || one.line !== line);
  return {
    ...field,
    line,
    ...(file !== owner.file && { file }),
    ...shown(text),
    ...(helpers.length > 0 && {
      helpers: helpers.map((one) => ({ file: one.file, line: one.line, ...shown(one.text) })),
    }),
    values: tried(() => valuePlaces(field, owner, origins)) ?? [],
  };
}

/** What is written out may be a secret, unless a template computes it or the field holds no free text. */
const isShown = (written: string, kind: string, path: FieldPath): boolean =>
  written.includes('{{') || (kind !== 'Secret' && path.length > 0 && !path.some((part) => freeText.has(String(part))));
const freeText: ReadonlySet<string> = new Set(['data', 'stringData', 'annotations', 'value', 'args', 'command']);

/** What is told of values by more than their place: those of a field that holds no free text, or that the cause names anyway. */
function withSafeTexts(field: FaultField, fault: ObjectFault, { again }: Origins): FaultField {
  const owner = field.of ?? fault;
  const document = again && tried(() => documentOf(again, owner.file, owner.id));
  const made = document && valueAtPath(document.object, field.path);
  const isPlain = isShown('', owner.id.kind, field.path) && made !== undefined && typeof made !== 'object';
  const isTold = (text: string): boolean =>
    isPlain || /^(?:true|false)$/.test(text) || (fault.problem ?? '').includes(text.replace(/^"(.*)"$/, '$1'));
  const values = field.values?.map((value) =>
    value.text === undefined || isTold(value.text) ? value : { ...value, text: undefined },
  );
  return { ...field, values };
}

const maxValues = 3;

/** Where the values are set that the field was made of. */
function valuePlaces({ path, word }: FaultField, owner: ObjectOrigin, origins: Origins): readonly ValuePlace[] {
  const { again } = origins;
  if (again === undefined) return [];
  const document = documentOf(again, owner.file, owner.id);
  if (document === undefined) return [];
  const made = valuesOfField(document, path, again.values, word);
  // Of an image its tag is mostly what is wrong.
  const isTag = (keys: readonly string[]): boolean => path.at(-1) === 'image' && keys.at(-1) === 'tag';
  const likely = [...made.filter(isTag), ...made.filter((keys) => !isTag(keys))];
  const places = likely.flatMap((keys) => valuePlace(keys, origins) ?? []);
  // What the user has set is at fault rather than what the chart sets beside it.
  const given = places.filter((place) => 'isGiven' in place);
  return (given.length > 0 ? given : places).slice(0, maxValues);
}

/** An object that the cluster cannot hold: what made its apiVersion, and the value that leaves it out. */
function withSwitch(fault: ObjectFault, origins: Origins): ObjectFault {
  const { again } = origins;
  const field = locatedField({ path: ['apiVersion'] }, fault, origins);
  if (again === undefined || field.line === undefined) return fault;
  const document = documentOf(again, fault.file, fault.id);
  const switches = document === undefined ? [] : switchesOf(document, again.values);
  // What the user has switched on rather than what the chart does by itself.
  const keys = switches.findLast((one) => isSetBy(origins.config, one)) ?? switches.at(-1);
  const place = keys && valuePlace(keys, origins);
  if (place === undefined) return { ...fault, fields: [field] };
  const values = field.values?.length ? field.values : [place];
  const fixes = [...(fault.fixes ?? []), `or switch it off: set ${place.name} to false`];
  return { ...fault, fields: [{ ...field, values }], fixes };
}
