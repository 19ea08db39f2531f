import { mergeMaps, valueAtKeys } from '../../chart/tables.ts';
import type { Chart } from '../../chart/types.ts';
import type { GoMap, Value } from '../../go/value.ts';
import { isPartial } from '../../manifest/classify.ts';
import { levelOf } from '../../problem/level.ts';
import { fieldsIn, type Place, type TemplatePlace } from '../../problem/place.ts';
import type { Problem } from '../../problem/problem.ts';
import type { Remedy } from '../../problem/remedy.ts';
import { withAlias, withAllUses } from './aliases.ts';
import { cutOf, type Edit, editsOf, placeholder, templateAt, withText } from './template-edits.ts';

/** Each of them costs a render of the whole chart. */
const mostTemplates = 20;

/** A chart that does not render, changed so that what else is wrong with it is found. */
export interface Attempt {
  readonly chart: Chart;
  /** The user's, and those that templates read by another name. */
  readonly values: GoMap;
  /** The values are known not to fit a schema. */
  readonly skipsSchema: boolean;
  /** All objects of the chart are there, in full but for some words. */
  readonly isWhole: boolean;
}

export interface Outcome {
  readonly problems: readonly Problem[];
  readonly isRendered: boolean;
  /** Values do not fit a schema: no template was rendered. */
  readonly isOfSchema?: boolean | undefined;
}

/**
 * What keeps a chart from being rendered, `first` and then what else: Helm ends at the first. A template is read on as its
 * remedy says, or without the action that fails; a value of nearly the same name is taken for one that is missing; a schema
 * is passed over; and a template that nobody knows how to mend is left out.
 */
export async function templateFailures(
  { chart, values }: Pick<Attempt, 'chart' | 'values'>,
  first: Outcome,
  outcomeOf: (attempt: Attempt) => Promise<Outcome>,
): Promise<readonly Problem[]> {
  const found = first.problems.map((problem) => withAllUses(problem, chart));
  const mended = new MendedLines();
  let attempt: Attempt | undefined = { chart, values, skipsSchema: false, isWhole: true };
  let outcome = first;
  for (let round = 1; round < mostTemplates && !outcome.isRendered; round++) {
    attempt = nextAttempt(attempt, outcome, mended);
    if (attempt === undefined) break;
    outcome = await outcomeOf(attempt);
    const isNews = (one: Problem): boolean =>
      !mended.explains(one) && !isOfMisfit(one, found) && !isOfValue(one, found);
    found.push(...outcome.problems.filter(isNews).map((problem) => withAllUses(problem, chart)));
  }
  return found;
}

function nextAttempt(last: Attempt, { problems, isOfSchema }: Outcome, mended: MendedLines): Attempt | undefined {
  if (isOfSchema) return last.skipsSchema ? undefined : { ...last, skipsSchema: true };
  const [renamed] = problems.flatMap((problem) => renamedIn(problem, last) ?? []);
  if (renamed !== undefined) return { ...last, values: renamed };
  const [aliased] = problems.flatMap((problem) => withAlias(last.chart, problem) ?? []);
  if (aliased !== undefined) return { ...last, chart: aliased };
  const edits = problems.flatMap(editsOf);
  const cuts = edits.length > 0 ? [] : problems.flatMap((problem) => cutOf(problem, last.chart) ?? []);
  for (const edit of [...edits, ...cuts]) {
    const next = mended.has(edit) ? undefined : withText(last.chart, edit.file.split('/').slice(1), edit);
    if (next === undefined) continue;
    mended.add(edit, last.chart);
    return { ...last, chart: next, isWhole: last.isWhole && edit.leavesOut !== true };
  }
  const [missing] = problems.flatMap(({ cause }) =>
    cause.code === 'value-missing' && cause.field ? [cause.keys] : [],
  );
  if (missing !== undefined && !mended.hasValue(missing)) {
    mended.addValue(missing);
    return { ...last, values: withValue(last.values, missing, new Map()) };
  }
  const [file] = problems.flatMap(({ subject }) => (subject.kind === 'template' ? [subject.file] : []));
  // Others may include it: the checksum of a ConfigMap.
  const left = file === undefined || isPartial(file) ? undefined : withText(last.chart, file.split('/').slice(1));
  return left && { ...last, chart: left, isWhole: false };
}

/** The values with one that templates read by the name of another: which of the two is wrong nobody knows. */
function renamedIn({ cause, remedies }: Problem, { values, chart }: Attempt): GoMap | undefined {
  if (cause.code !== 'value-missing') return undefined;
  const keys = [...cause.keys, ...(cause.field === undefined ? [] : [cause.field])];
  const [remedy] = remedies.filter((one) => one.kind === 'use-name');
  const meant = remedy?.name.split('.') ?? [];
  const missing = keys.slice(0, meant.length);
  if (missing.length === 0 || missing.join('.') !== remedy?.instead) return undefined;
  const value = (valueAtKeys(values, meant) ?? valueAtKeys(chart.values, meant)) as Value;
  if (value === undefined) return undefined;
  return withValue(values, missing, value);
}

const withValue = (values: GoMap, keys: readonly string[], value: Value): GoMap =>
  mergeMaps(values, keys.reduceRight<Value>((at, key) => new Map([[key, at]]), value) as GoMap);

/** Lines of templates that say something else than the chart's: what is found there is no mistake of the chart. */
class MendedLines {
  readonly #lines: Pick<TemplatePlace, 'file' | 'line'>[] = [];
  readonly #cutFiles = new Set<string>();
  /** Of which a part may be left out that the chart means to be there. */
  readonly #looseFiles = new Set<string>();
  readonly #values = new Set<string>();

  hasValue(keys: readonly string[]): boolean {
    return this.#values.has(nameOf(keys));
  }

  /** A value that is taken for an empty map. */
  addValue(keys: readonly string[]): void {
    this.#values.add(nameOf(keys));
  }

  has({ file, line }: Pick<TemplatePlace, 'file' | 'line'>): boolean {
    return this.#lines.some((one) => one.file === file && one.line === line);
  }

  /** Of a line at another depth what is below it is somewhere else too. */
  add(edit: Edit, chart: Chart): void {
    const { file, line } = edit;
    this.#lines.push(edit);
    if (edit.isCut) this.#cutFiles.add(file);
    if (edit.movesEnd) this.#looseFiles.add(file);
    if (edit.from.trimStart() !== edit.to.trimStart() || edit.from === edit.to) return;
    const lines = templateAt(chart, file.split('/').slice(1))?.split('\n') ?? [];
    const depth = depthOf(edit.to);
    for (let at = line; isBelow(lines[at] ?? '', depth); at++) this.#lines.push({ file, line: at + 1 });
  }

  explains({ places, subject, code, cause }: Problem): boolean {
    const isOfFile = subject.kind === 'template' && this.#cutFiles.has(subject.file);
    if (isOfFile && code.startsWith('yaml-')) return true;
    // What refers to an unknown name, or has one, may fit.
    if (
      this.#cutFiles.size > 0 &&
      levelOf({ cause }) !== 'error' &&
      JSON.stringify([cause, subject]).includes(placeholder)
    )
      return true;
    // An object may be left out.
    const mayLackObjects = this.#values.size > 0 || this.#looseFiles.size > 0;
    if (mayLackObjects && (code === 'reference-outside' || code === 'no-pod-selected')) return true;
    const isOfLoose = subject.kind === 'object' && this.#looseFiles.has(subject.template);
    if (isOfLoose && levelOf({ cause }) !== 'error') return true;
    return linesOf(places).some(
      (place) => this.has(place) || [...this.#values].some((name) => place.written?.includes(name)),
    );
  }
}

/** As templates name it: `.image.`. */
const nameOf = (keys: readonly string[]): string => `.${keys.at(-1)}.`;

const depthOf = (line: string): number => line.length - line.trimStart().length;

const isBelow = (line: string, depth: number): boolean =>
  line.trim() !== '' && (depthOf(line) > depth || (depthOf(line) === depth && line.trimStart().startsWith('- ')));

const linesOf = (places: readonly Place[]): readonly TemplatePlace[] => [
  ...places.filter((place) => place.kind === 'template'),
  ...fieldsIn(places).flatMap(({ lines = [] }) => lines),
];

/** What comes of a value that a schema does not allow. */
function isOfMisfit({ places, remedies, subject }: Problem, found: readonly Problem[]): boolean {
  const values = [
    ...(subject.kind === 'value' ? [subject.keys] : []),
    ...places.flatMap((place) => (place.kind === 'value' ? [place.keys] : [])),
    ...fieldsIn(places).flatMap(({ values: own = [] }) => own.map(({ keys }) => keys)),
    ...remedies.flatMap((remedy) => (remedy.kind === 'set-value' ? [remedy.keys] : [])),
  ];
  const misfits = found.flatMap((one) => (one.subject.kind === 'value' ? [one.subject.keys] : []));
  return misfits.some(
    (misfit) => misfit.length > 0 && values.some((keys) => misfit.every((key, index) => keys[index] === key)),
  );
}

/** The same value is missing in another template too, or the chart asks for the same thing again. */
const isOfValue = ({ cause }: Problem, found: readonly Problem[]): boolean =>
  (cause.code === 'value-missing' || cause.code === 'chart-refuses') &&
  found.some((one) => JSON.stringify(one.cause) === JSON.stringify(cause));

/** Of a missing value and another one that nothing reads, told once: either of the names may be the wrong one. */
export function withOneName(
  failures: readonly Problem[],
  unread: readonly Problem[],
): { readonly failures: readonly Problem[]; readonly unread: readonly Problem[] } {
  const names = new Set(unread.map(({ cause }) => (cause.code === 'value-unread' ? cause.keys.join('.') : '')));
  const told = new Set<string>();
  const either = failures.map((problem) => {
    const remedies = problem.remedies.map((remedy): Remedy => {
      if (remedy.kind !== 'use-name' || problem.code !== 'value-missing' || !names.has(remedy.name)) return remedy;
      told.add(remedy.name);
      return { ...remedy, isEither: true };
    });
    return { ...problem, remedies };
  });
  const isTold = ({ cause }: Problem): boolean => cause.code === 'value-unread' && told.has(cause.keys.join('.'));
  return { failures: either, unread: unread.filter((problem) => !isTold(problem)) };
}
