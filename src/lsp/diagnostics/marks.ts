import type { Finding } from '../../actions/check.ts';
import type { Level } from '../../problem/level.ts';
import { fieldsIn, type Place, type TemplatePlace, type ValuePlace } from '../../problem/place.ts';
import { type Problem, placeToChange } from '../../problem/problem.ts';
import type { Remedy } from '../../problem/remedy.ts';
import type { Extent, Lines } from '../../support/lines.ts';
import { evidenceLines } from '../../words/evidence.ts';
import { detailLines, detailTexts, mergedLines, titleOf } from '../../words/problem.ts';

/** Something that is wrong, at a line of a file of a chart. */
export interface Mark {
  /** With the charts before it: `shop/templates/web.yaml`. */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** Words of the line that are wrong, the likely one first; without any of them it is the whole line. */
  readonly words: readonly string[];
  readonly level: Level;
  readonly code: string;
  /** What is wrong, in one line. */
  readonly title: string;
  /** The same, and below it what to do and what it rests on. */
  readonly message: string;
  readonly related: readonly RelatedLine[];
  readonly problem?: Problem | undefined;
  /** What was probably meant instead of a word of the line. */
  readonly replacement?: { readonly from: string; readonly to: string } | undefined;
}

export interface RelatedLine {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Where the values of a check come from, beside those of the charts: `shop/ci/big-values.yaml`, and the line of a value there. */
export interface GivenFile {
  readonly file: string;
  readonly lineOf: (keys: readonly string[]) => number | undefined;
}

/**
 * A finding at each line where it may be mended: of the template, and of the value in it. What has no line that is known is
 * at the first one of Chart.yaml. `chart`: the name of the outermost chart.
 */
export function marksOf({ level, problem }: Finding, chart: string, given?: GivenFile): readonly Mark[] {
  const at = lineToChange(problem);
  const values = valuesIn(problem.places).flatMap((value) => lineOfValue(value, given) ?? []);
  const isOfValue =
    problem.subject.kind === 'value' ||
    problem.places.some(({ kind }) => kind === 'value') ||
    problem.remedies.some(changesValue);
  const lines = [at, ...(isOfValue ? values.slice(0, 1) : [])].flatMap((one) => one ?? []);
  const places = lines.length > 0 ? lines : [{ file: `${chart}/Chart.yaml`, line: 1, words: [] }];
  const related = [
    ...relatedLines(problem.places),
    ...values.map((one) => ({ ...one, message: 'the value is set here' })),
  ];
  return places.map(({ file, line, words }) => ({
    file,
    line,
    words,
    level,
    code: problem.code,
    title: titleOf(problem),
    message: textOf(problem),
    related: related.filter((one) => one.file !== file || one.line !== line),
    problem,
  }));
}

/** A field that is not known is no fault of the value that it has. */
const changesValue = (remedy: Remedy): boolean =>
  remedy.kind === 'set-value' || (remedy.kind === 'change-type' && remedy.keys !== undefined);

interface MarkedLine {
  readonly file: string;
  readonly line: number;
  readonly words: readonly string[];
}

function lineToChange(problem: Problem): MarkedLine | undefined {
  const { file, line } = placeToChange(problem);
  const keys = problem.places.flatMap((place) => (place.kind === 'value' ? [place.keys] : []));
  const words = wordsOf(problem);
  if (file === undefined || file === '') return undefined;
  return { file, line: line ?? 1, words: [...words, ...keys.flatMap((one) => one.at(-1) ?? [])] };
}

/** What the line has that is wrong: what is to be replaced, or else the name of the field. */
function wordsOf(problem: Problem): readonly string[] {
  const replaced = problem.remedies.flatMap((remedy) =>
    remedy.kind === 'use-name' ? [remedy.instead] : remedy.kind === 'change-text' ? [remedy.from] : [],
  );
  const fields = fieldsIn(problem.places).flatMap(({ path, word }) => [word ?? [], `${path.at(-1) ?? ''}`].flat());
  return [...replaced, ...fields].filter((word) => word !== '' && !/^\d+$/.test(word));
}

const valuesIn = (places: readonly Place[]): readonly ValuePlace[] =>
  places.flatMap((place) => (place.kind === 'field' ? (place.values ?? []) : place.kind === 'value' ? [place] : []));

function lineOfValue({ keys, file, line, isGiven }: ValuePlace, given: GivenFile | undefined): MarkedLine | undefined {
  const words = [keys.at(-1) ?? ''];
  if (file !== undefined && line !== undefined) return { file, line, words };
  const at = isGiven && given?.lineOf(keys);
  return at ? { file: (given as GivenFile).file, line: at, words } : undefined;
}

function relatedLines(places: readonly Place[]): readonly RelatedLine[] {
  const templates = places.flatMap((place): readonly TemplatePlace[] =>
    place.kind === 'field' ? (place.lines ?? []) : place.kind === 'template' ? [place] : [],
  );
  return templates.flatMap(({ file, line, written }) =>
    line === undefined ? [] : [{ file, line, message: written ?? 'this line takes part' }],
  );
}

/** What is wrong, and below it what to do and what it rests on. */
function textOf(problem: Problem): string {
  const details = mergedLines(detailLines(problem, (file) => file).filter(({ label }) => !placed.has(label)));
  const said = evidenceLines(problem, 'message').map((line) => `Helm's error: ${line}`);
  return [titleOf(problem), ...detailTexts(details), ...said].join('\n');
}

/** Places are told by the marks themselves. */
const placed: ReadonlySet<string> = new Set(['where', 'object']);

/** The part of a line that a mark is about. */
export function extentOf({ line, words }: Pick<Mark, 'line' | 'words'>, lines: Lines): Extent {
  const number = Math.min(Math.max(line, 1), lines.count) - 1;
  const whole = lines.writtenIn(number);
  const text = lines.text.slice(whole.from, whole.until);
  for (const word of words) {
    const at = wordIndex(text, word);
    if (at >= 0) return { from: whole.from + at, until: whole.from + at + word.length };
  }
  return whole;
}

/** Where a word stands by itself. */
function wordIndex(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + word.length] ?? ' '}`;
    if (!/[\w]/.test(around)) return at;
  }
  return -1;
}
