import { pathText } from '../manifest/field-path.ts';
import type { ResourceId } from '../manifest/types.ts';
import type { FieldPlace, FilePlace, Place, TemplatePlace, ValuePlace } from '../problem/place.ts';
import { isOfObject, isSameObject, type Problem } from '../problem/problem.ts';
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

/** ` [field-type]`, by which docs/problems.md says more; what has no fact has no code to look up. */
export const codeText = ({ code }: Problem): string => (code === 'not-ready' ? '' : ` [${code}]`);

/** What stands below a cause: `where  shop/templates/web.yaml:18: image: {{ .Values.image }}` and so on. */
export function detailLines(problem: Problem, onDisk: OnDisk): readonly string[] {
  const { remedies, symptom, evidence } = problem;
  const facts = (['event', 'change'] as const).flatMap((kind) => evidenceLines(problem, kind));
  const [first, ...rest] = evidenceLines(problem, 'log');
  return [
    ...placeLines(problem, onDisk),
    ...remedies.map((remedy) => labelled('fix', remedyText(remedy))),
    ...(symptom === undefined ? [] : [labelled('so', factText(symptom))]),
    ...(first === undefined ? [] : [labelled('log', first), ...rest.map((line) => labelled('', line))]),
    ...facts.map((text) => labelled('also', text)),
    ...evidence.flatMap(({ command }) => (command === undefined ? [] : [labelled('more', command)])),
  ];
}

function placeLines({ subject, places }: Problem, onDisk: OnDisk): readonly string[] {
  const values = places.filter((place): place is ValuePlace => place.kind === 'value');
  const owner = subject.kind === 'object' ? subject.id : undefined;
  const lines = [
    ...places.flatMap((place) => linesOf(place, owner, onDisk)),
    ...values.map((value) => labelled('value', valueText(value, onDisk))),
  ];
  if (lines.length > 0 || subject.kind !== 'object') return withoutRepeats(lines);
  const { template, line } = subject;
  return template === '' ? [] : [labelled('object', `${onDisk(template)}${line === undefined ? '' : `:${line}`}`)];
}

function linesOf(place: Place, owner: ResourceId | undefined, onDisk: OnDisk): readonly string[] {
  if (place.kind === 'field') return fieldLines(place, owner, onDisk);
  return place.kind === 'value' ? [] : [whereLine(place, '', onDisk)];
}

/** Lines of one template that read alike are one, with all their numbers: `where  web.yaml:18, 31: image: …`. */
export function withoutRepeats(lines: readonly string[]): readonly string[] {
  const unique = [...new Set(lines)];
  const parts = unique.map((line) => /^(where .*?):(\d+)(: .*)$/.exec(line));
  const isLike = (a: RegExpExecArray | null | undefined, b: RegExpExecArray | null): boolean =>
    a?.[1] === b?.[1] && a?.[3] === b?.[3];
  return unique.flatMap((line, index) => {
    const part = parts[index];
    if (!part) return [line];
    const like = parts.filter((one) => one !== null && isLike(part, one));
    return like[0] === part ? [`${part[1]}:${like.map((one) => one?.[2]).join(', ')}${part[3]}`] : [];
  });
}

function fieldLines(
  { path, object, lines = [], values = [] }: FieldPlace,
  owner: ResourceId | undefined,
  onDisk: OnDisk,
) {
  const [first, ...helpers] = lines;
  const told = values.map((value) => labelled('value', valueText(value, onDisk)));
  if (first === undefined) return told;
  const other = owner !== undefined && isSameObject(object, owner) ? '' : ` (${object.kind}/${object.name})`;
  const own = whereLine({ ...first, written: first.written ?? pathText(path) }, other, onDisk);
  return [own, ...helpers.map((one) => whereLine(one, ' (in the helper)', onDisk)), ...told];
}

const whereLine = ({ file, line, written = '' }: TemplatePlace | FilePlace, owner: string, onDisk: OnDisk): string =>
  labelled(
    'where',
    `${onDisk(file)}${line === undefined ? '' : `:${line}`}${written === '' ? '' : `: ${written}`}${owner}`,
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
