import { pathText } from '../manifest/field-path.ts';
import type { ResourceId } from '../manifest/types.ts';
import type { FieldPlace, FilePlace, Place, TemplatePlace, ValuePlace } from '../problem/place.ts';
import { isOfObject, isSameObject, type Problem } from '../problem/problem.ts';
import { groupBy } from '../support/group-by.ts';
import { evidenceLines } from './evidence.ts';
import { factText } from './fact.ts';
import { remedyText } from './remedy.ts';
import { keysText } from './value.ts';

/** The path of a file of a chart as the user has it: messages name it with the chart's name before it. */
export type OnDisk = (named: string) => string;

const labelWidth = 7;
export const labelled = (label: string, text: string): string => `${label.padEnd(labelWidth)}${text}`;

/** `Deployment/web`; of what has no kind or no name, what it has; '' of what is no object. */
export function labelOf(problem: Problem): string {
  if (!isOfObject(problem)) return '';
  const { id, template } = problem.subject;
  return [id.kind, id.name].filter((part) => part !== '').join('/') || template;
}

/** `Deployment/web: unknown field spec.replica` */
export function titleOf(problem: Problem): string {
  const label = labelOf(problem);
  return `${label === '' ? '' : `${label}: `}${factText(problem.cause)}`;
}

/** ` [field-type]`, by which docs/problems.md says more; what has no fact has no code to look up. */
export const codeText = ({ code }: Problem): string => (code === 'not-ready' ? '' : ` [${code}]`);

/** A line below a cause, with its label. */
export interface DetailLine {
  readonly label: string;
  readonly text: string;
  /** Of a place: the line of the file, and what is written there. */
  readonly line?: number | undefined;
  readonly written?: string | undefined;
}

/** `where  shop/templates/web.yaml:18: image: {{ .Values.image }}` */
export const detailTexts = (lines: readonly DetailLine[]): readonly string[] =>
  lines.map(({ label, text }) => labelled(label, text));

const detailsOf = (label: string, texts: readonly string[]): readonly DetailLine[] =>
  texts.map((text) => ({ label, text }));

/** What is below a cause: the places, what to do, and what it rests on. */
export function detailLines(problem: Problem, onDisk: OnDisk, remedyIn = remedyText): readonly DetailLine[] {
  const { remedies, symptom, evidence } = problem;
  const facts = (['event', 'change'] as const).flatMap((kind) => evidenceLines(problem, kind));
  const [first, ...rest] = evidenceLines(problem, 'log');
  return [
    ...placeLines(problem, onDisk),
    ...detailsOf(
      'fix',
      remedies.map((remedy) => remedyIn(remedy)),
    ),
    ...detailsOf('so', symptom === undefined ? [] : [factText(symptom)]),
    ...(first === undefined ? [] : [{ label: 'log', text: first }, ...detailsOf('', rest)]),
    ...detailsOf('also', facts),
    ...detailsOf(
      'more',
      evidence.flatMap(({ command }) => command ?? []),
    ),
  ];
}

function placeLines({ subject, places }: Problem, onDisk: OnDisk): readonly DetailLine[] {
  const values = places.filter((place): place is ValuePlace => place.kind === 'value');
  const owner = subject.kind === 'object' ? subject.id : undefined;
  const lines = [...places.flatMap((place) => linesOf(place, owner, onDisk)), ...valueLines(values, onDisk)];
  if (lines.length > 0 || subject.kind !== 'object') return lines;
  const { template, line } = subject;
  return template === '' ? [] : [{ label: 'object', text: onDisk(template), line }];
}

function linesOf(place: Place, owner: ResourceId | undefined, onDisk: OnDisk): readonly DetailLine[] {
  if (place.kind === 'field') return fieldLines(place, owner, onDisk);
  return place.kind === 'value' ? [] : [whereLine(place, '', onDisk)];
}

/** Lines that read alike are one, with the numbers of all: `where  web.yaml:18, 31: image: …`. */
export const mergedLines = (lines: readonly DetailLine[]): readonly DetailLine[] =>
  [...groupBy(lines, ({ label, text, written }) => JSON.stringify([label, text, written])).values()].map((same) => {
    const { label, text, written = '' } = same[0] as DetailLine;
    const numbers = [...new Set(same.flatMap(({ line }) => line ?? []))];
    return { label, text: `${text}${numbers.length === 0 ? '' : `:${numbers.join(', ')}`}${written}` };
  });

function fieldLines(
  { path, object, lines = [], values = [] }: FieldPlace,
  owner: ResourceId | undefined,
  onDisk: OnDisk,
) {
  const [first, ...helpers] = lines;
  const shownValues = valueLines(values, onDisk);
  if (first === undefined) return shownValues;
  const other = owner !== undefined && isSameObject(object, owner) ? '' : ` (${object.kind}/${object.name})`;
  const own = whereLine({ ...first, written: first.written ?? pathText(path) }, other, onDisk);
  return [own, ...helpers.map((one) => whereLine(one, ' (in the helper)', onDisk)), ...shownValues];
}

const whereLine = (
  { file, line, written = '' }: TemplatePlace | FilePlace,
  owner: string,
  onDisk: OnDisk,
): DetailLine => ({
  label: 'where',
  text: onDisk(file),
  line,
  written: `${written === '' ? '' : `: ${written}`}${owner}`,
});

const valueLines = (values: readonly ValuePlace[], onDisk: OnDisk): readonly DetailLine[] =>
  detailsOf(
    'value',
    values.map((value) => valueText(value, onDisk)),
  );

function valueText(value: ValuePlace, onDisk: OnDisk): string {
  const at = placeOfValue(value, onDisk);
  const own = value.ownFile === undefined ? '' : ` (the chart's default; set your value in ${value.ownFile})`;
  const where = at === undefined ? 'with -f or --set' : 'flag' in at ? `by ${at.flag}` : `in ${at.file}:${at.line}`;
  return `${keysText(value.keys)} is set ${value.text === undefined ? '' : `to ${value.text} `}${where}${own}`;
}

/** Where a value is given: a file with its line, or a flag. */
export type GivenAt = { readonly file: string; readonly line: number } | { readonly flag: string };

/** Where a value is to be changed; undefined where the user gave it in a way that is not known any more. */
export function placeOfValue({ flag, file, line, isGiven }: ValuePlace, onDisk: OnDisk): GivenAt | undefined {
  if (flag !== undefined) return { flag };
  if (file === undefined || line === undefined) return undefined;
  return { file: isGiven ? file : onDisk(file), line };
}
