import { type ObjectDiff, type ReleaseDiff, refusedDiffs } from '../../actions/comparison/object-diff.ts';
import { compareLines } from '../../support/compare-lines.ts';
import { trimSuffix } from '../../support/text.ts';
import { remedyText } from '../../words/remedy.ts';
import { whyReplaced } from '../../words/replacement.ts';
import { writePlainYaml } from '../../yaml/index.ts';
import { type Hunk, hunksOf } from '../diff-hunks.ts';
import { clusterText, revisionText } from '../words.ts';
import { randomPaths } from './random-text.ts';

export interface DiffPaint {
  readonly added: (text: string) => string;
  readonly removed: (text: string) => string;
  readonly title: (text: string) => string;
  readonly place: (text: string) => string;
}

const plain = (text: string): string => text;
export const plainDiff: DiffPaint = { added: plain, removed: plain, title: plain, place: plain };

export interface DiffTextOptions {
  /** Lines shown around a change; Infinity shows whole objects. */
  readonly context: number;
  readonly paint: DiffPaint;
}

/** What a deploy would change, object by object, as unified diffs of YAML; hooks apart; the numbers last. */
export function diffText(diff: ReleaseDiff, options: DiffTextOptions): string {
  const parts = [titleOf(diff), ...changesText(diff.objects, diff, options)];
  const hooks = changesText(diff.hooks, diff, options);
  if (hooks.length > 0)
    parts.push(
      options.paint.title('Hooks (run separately; their delete policies decide what happens to their objects):\n'),
      ...hooks,
    );
  return [...parts, `${summaryText(diff)}\n`].join('\n');
}

function titleOf({ action, release, namespace, cluster, from, to }: ReleaseDiff): string {
  const where = cluster === undefined ? namespace : `${namespace} of ${clusterText(cluster)}`;
  const old = from === undefined ? 'not installed' : `revision ${revisionText(from)}`;
  return `${action} ${release} in ${where}: ${old} -> revision ${revisionText(to)}\n`;
}

function changesText(changes: readonly ObjectDiff[], diff: ReleaseDiff, options: DiffTextOptions): readonly string[] {
  const shown = changes.filter(isShown);
  const folded = shown.filter(isRandomOnly).map(randomLine);
  return [
    ...shown.filter((change) => !isRandomOnly(change)).map((change) => changeText(change, diff, options)),
    ...(folded.length === 0 ? [] : [folded.join('')]),
  ];
}

/** Whether a diff has something to say of an object. */
export const isShown = ({ change, random, notes, problem }: ObjectDiff): boolean =>
  change !== 'unchanged' || random !== undefined || notes.length > 0 || problem !== undefined;

/** Whether all that differs is made anew by each render. */
export const isRandomOnly = ({ change, random, notes, problem }: ObjectDiff): boolean =>
  change === 'unchanged' && random !== undefined && notes.length === 0 && problem === undefined;

const randomLine = (object: ObjectDiff): string =>
  `${nameOf(object)} is unchanged; ${randomPaths(object.random ?? [])}\n`;

const words = {
  added: 'has been added',
  changed: 'has changed',
  removed: 'has been removed',
  kept: 'would be left in the cluster',
  unchanged: 'is unchanged',
} as const;

function changeText(object: ObjectDiff, diff: ReleaseDiff, options: DiffTextOptions): string {
  const { change, random, notes, problem, remedies = [] } = object;
  const { paint } = options;
  const title = paint.title(`${nameOf(object)} ${verdictOf(object)}`);
  const remarks = [
    ...(random === undefined ? [] : [`  ${randomPaths(random)}\n`]),
    ...notes.map((note) => `  note: ${note}\n`),
    ...(problem === undefined ? [] : [paint.removed(`  refused: ${problem.replaceAll('\n', '\n  ')}`), '\n']),
    ...remedies.map((remedy) => `  fix: ${remedyText(remedy)}\n`),
  ];
  return `${title}\n${remarks.join('')}${change === 'kept' ? '' : bodyText(object, diff, options)}`;
}

/** `has been added in place of web-1:` */
function verdictOf({ change, replaced, insteadOf, succeededBy }: ObjectDiff): string {
  if (replaced !== undefined) return `would be replaced (${whyReplaced(replaced.forcedBy)}):`;
  if (succeededBy !== undefined) return `${words[change]}; ${succeededBy.name} takes its place`;
  if (insteadOf !== undefined) return `${words[change]} in place of ${insteadOf.id.name}:`;
  return `${words[change]}${change === 'unchanged' ? '' : ':'}`;
}

/** What would become of an object as the lines of a unified diff, without its head; '' for no difference. */
export function diffLinesText(object: ObjectDiff, context: number): string {
  const hunks = object.change === 'kept' ? [] : hunksOfObject(object, context);
  return hunks.map((hunk) => hunkText(hunk, plainDiff)).join('');
}

/** `default, web, Deployment (apps/v1)`, as the helm-diff plugin names an object. */
function nameOf({ id, events }: ObjectDiff): string {
  const name = [id.namespace, id.name, `${id.kind} (${id.apiVersion})`].filter((part) => part !== '').join(', ');
  return events === undefined ? name : `${name}, ${events.join(' ')} hook,`;
}

/** Of what goes because something takes its place there is nothing to compare. */
const hunksOfObject = ({ before, after, insteadOf, succeededBy }: ObjectDiff, context: number): readonly Hunk[] =>
  succeededBy === undefined ? hunksOf(compareLines(linesOf(insteadOf?.before ?? before), linesOf(after)), context) : [];

function bodyText(object: ObjectDiff, diff: ReleaseDiff, { context, paint }: DiffTextOptions): string {
  const { events, insteadOf } = object;
  const hunks = hunksOfObject(object, context);
  if (hunks.length === 0) return '';
  const isRecord = events !== undefined || insteadOf !== undefined || diff.action === 'compare';
  const old = !isRecord ? 'live' : diff.from === undefined ? 'none' : `revision ${diff.from.revision}`;
  const head = `${paint.removed(`--- ${old}`)}\n${paint.added(`+++ revision ${diff.to.revision}`)}\n`;
  return head + hunks.map((hunk) => hunkText(hunk, paint)).join('');
}

const linesOf = (object: unknown): readonly string[] =>
  object === undefined ? [] : trimSuffix(writePlainYaml(object), '\n').split('\n');

function hunkText({ oldStart, oldCount, newStart, newCount, lines }: Hunk, paint: DiffPaint): string {
  const place = paint.place(`@@ -${range(oldStart, oldCount)} +${range(newStart, newCount)} @@`);
  const painted = { ' ': plain, '+': paint.added, '-': paint.removed };
  return `${place}\n${lines.map(({ sign, text }) => `${painted[sign](sign + text)}\n`).join('')}`;
}

const range = (start: number, count: number): string => (count === 1 ? String(start) : `${start},${count}`);

/** `1 to add, 2 to change, 1 to remove; hooks: 1 to change; 1 would be refused` */
function summaryText(diff: ReleaseDiff): string {
  const refused = refusedDiffs(diff).length;
  const hooks = countText(diff.hooks);
  const parts = [
    countText(diff.objects) || 'no changes',
    ...(hooks === '' ? [] : [`hooks: ${hooks}`]),
    ...(refused === 0 ? [] : [`${refused} would be refused`]),
  ];
  return parts.join('; ');
}

function countText(changes: readonly ObjectDiff[]): string {
  const replaced = changes.filter((one) => one.replaced !== undefined).length;
  const count = (kind: ObjectDiff['change']): number => changes.filter(({ change }) => change === kind).length;
  const counts = [
    [count('added'), 'to add'],
    [count('changed') - replaced, 'to change'],
    [replaced, 'to replace'],
    [count('removed'), 'to remove'],
    [count('kept'), 'to leave behind'],
  ] as const;
  return counts.flatMap(([number, what]) => (number === 0 ? [] : [`${number} ${what}`])).join(', ');
}
