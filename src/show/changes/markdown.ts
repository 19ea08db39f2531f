import { byImportance, type HeadlineChange } from '../../actions/comparison/headlines.ts';
import {
  changesAnything,
  type ReleaseReview,
  type ReviewedObject,
  refusedObjects,
} from '../../actions/comparison/review.ts';
import { formatId } from '../../manifest/resource-id.ts';
import { countOf, endingInLineBreak } from '../../support/text.ts';
import { whyReplaced } from '../../words/replacement.ts';
import { clusterText, revisionText } from '../words.ts';
import { type EqualReleases, equalReleases } from './equal-releases.ts';
import { randomValues } from './random-text.ts';

/** Characters that a comment may have on GitHub and on GitLab, less some for what a bot puts around it. */
export const commentLimits = { github: 65_536 - 1_536, gitlab: 1_000_000 - 10_000 } as const;

/** What fits where a job runs: GitLab's jobs comment on GitLab. */
export const commentLimit = (env: Readonly<Record<string, string | undefined>>): number =>
  env['GITLAB_CI'] ? commentLimits.gitlab : commentLimits.github;

/**
 * Changes of releases as a comment for a pull request: a table of the releases, and a fold for each with its diff; releases
 * that change in the same way have one fold. The same changes give the same text. Where it would be longer than `limit`, the
 * diffs that do not fit any more are left out: the top and each fold say how many, and `command` is what shows them.
 * `moves` are the titles of what is moved between releases before anything else.
 */
export function reviewMarkdown(
  given: readonly ReleaseReview[],
  limit: number = commentLimits.github,
  command?: string,
  moves: readonly string[] = [],
): string {
  const { start, reviews } = withoutCommonCluster(given, moves);
  const rest = ['', ...table(reviews), ''].join('\n');
  const groups = equalReleases(reviews);
  const whole = foldsText(groups, limit - sizeOf(start + rest));
  if (whole?.leftOut === 0) return `${start}${rest}${whole.text}`;
  const most = groups.flatMap(({ first }) => [first, ...first.objects, ...first.hooks, ...first.warnings]).length;
  const folds = foldsText(groups, limit - sizeOf(start + topText(most, command) + rest));
  return folds === undefined
    ? cutTable(start, reviews, { limit, command })
    : `${start}${topText(folds.leftOut, command)}${rest}${folds.text}`;
}

/** Told before anything else: a reviewer must not take a part for the whole. */
const topText = (count: number, command: string | undefined): string =>
  `\n**${countOf(count, 'part')} left out: the comment would be too long.** ${allShownBy(command)}\n`;

const allShownBy = (command: string | undefined): string =>
  command === undefined ? '`tshelm show-plan` and `tshelm diff` show all.' : `${code(command)} shows all.`;

interface Folds {
  readonly text: string;
  /** How many parts have no room. */
  readonly leftOut: number;
}

/** Undefined where not even the heads of the folds have room. */
function foldsText(groups: readonly EqualReleases[], room: number): Folds | undefined {
  const outlines = groups.map((group) => sizeOf(foldText(group, 0).text));
  let spare = room - outlines.reduce((sum, size) => sum + size, 0);
  if (spare < 0) return undefined;
  const folds = groups.map((group, index) => {
    const outline = outlines[index] ?? 0;
    const fold = foldText(group, outline + spare);
    spare -= Math.max(0, sizeOf(fold.text) - outline);
    return fold;
  });
  return {
    text: folds.map(({ text }) => text).join(''),
    leftOut: folds.reduce((sum, { leftOut }) => sum + leftOut, 0),
  };
}

/** The title, with the cluster where there are others and all releases are in one; rows and folds name it where they differ. */
function withoutCommonCluster(
  reviews: readonly ReleaseReview[],
  moves: readonly string[],
): {
  readonly start: string;
  readonly reviews: readonly ReleaseReview[];
} {
  const clusters = new Set(reviews.map(({ cluster }) => cluster && clusterText(cluster)));
  const [only] = clusters;
  const head = [reviewMarker, '', `### tshelm: ${headline(reviews, moves.length)}`, ''];
  const first =
    moves.length === 0 ? [] : ['Before anything is deployed:', ...moves.map((title) => `- ${plain(title)}`), ''];
  if (clusters.size !== 1 || only === undefined) return { start: [...head, ...first].join('\n'), reviews };
  const named = [...head, `In ${code(only)}.`, '', ...first].join('\n');
  return { start: named, reviews: reviews.map(({ cluster: _cluster, ...review }) => review) };
}

const placeOf = ({ namespace, cluster }: ReleaseReview): string =>
  cluster === undefined ? code(namespace) : `${code(namespace)} of ${code(clusterText(cluster))}`;

/** A bot finds its last comment by it. */
export const reviewMarker = '<!-- tshelm review -->';

function headline(reviews: readonly ReleaseReview[], moves: number): string {
  const refused = reviews.filter(isRefused).length;
  const changed = reviews.filter((review) => changesAnything(review) && !isRefused(review)).length;
  const all = countOf(reviews.length, 'release');
  const parts = [
    ...(moves === 0 ? [] : [countOf(moves, 'move')]),
    ...(changed === 0 ? [] : [`${changed} of ${all} would change`]),
    ...(refused === 0 ? [] : [`${refused}${changed === 0 ? ` of ${all}` : ''} would be refused`]),
  ];
  return parts.length === 0 ? 'no changes' : parts.join(', ');
}

const isRefused = (review: ReleaseReview): boolean => refusedObjects(review).length > 0;

const tableHead = [
  '| Release | Namespace | Change | Revision | Add | Change | Remove | Keep | Same |',
  '|---|---|---|---|--:|--:|--:|--:|--:|',
];

/** Where many releases stay as they are, they are one row. */
function table(reviews: readonly ReleaseReview[]): readonly string[] {
  const telling = reviews.filter(hasSomethingToTell);
  const same = reviews.length - telling.length;
  if (same <= mostUnchangedRows) return [...tableHead, ...reviews.map(row)];
  return [...tableHead, ...telling.map(row), `| ${countOf(same, 'release')} | | unchanged | | | | | | |`];
}

const mostUnchangedRows = 10;

const hasSomethingToTell = (review: ReleaseReview): boolean =>
  changesAnything(review) || review.objects.length + review.hooks.length + review.warnings.length > 0;

function row(review: ReleaseReview): string {
  const { release, from, to, counts } = review;
  const old = from === undefined ? '' : revisionText(from);
  // An unchanged release has no new revision that a reviewer has to look at.
  const isOver = review.action === 'uninstall' || (from !== undefined && !changesAnything(review));
  const next = isOver ? '' : revisionText(to);
  const revisions = [old, next].filter((text) => text !== '').join(' → ');
  const { added, changed: written, removed, kept, unchanged } = counts;
  const replaced = review.objects.filter(({ replacedFor }) => replacedFor !== undefined).length;
  const changed = replaced === 0 ? written : `${written - replaced}, ${replaced} replaced`;
  const cells = [code(release), placeOf(review), changeText(review), revisions === '' ? '' : code(revisions)];
  return `| ${[...cells, added, changed, removed, kept, unchanged].join(' | ')} |`;
}

function stateOf(review: ReleaseReview): string {
  const { action, from } = review;
  const state =
    action === 'uninstall' ? 'gone' : from === undefined ? 'new' : changesAnything(review) ? 'changed' : 'unchanged';
  return refusedObjects(review).length > 0 ? `${state}, **refused**` : state;
}

/** `changed: image 5.0 → 7.0, replicas 2 → 3, and 1 more` */
function changeText(review: ReleaseReview): string {
  const all = review.objects.flatMap(({ headlines = [] }) => headlines).sort(byImportance);
  const texts = [...new Set(all.map(headlineText))];
  if (texts.length === 0) return stateOf(review);
  const more = texts.length > mostHeadlines ? `, and ${texts.length - mostHeadlines} more` : '';
  return `${stateOf(review)}: ${texts.slice(0, mostHeadlines).map(code).join(', ')}${more}`;
}

const mostHeadlines = 3;

function headlineText({ label, before, after }: HeadlineChange): string {
  const [old, next] = label === 'image' ? withoutRepository(before, after) : [before, after];
  return `${label} ${old} → ${next}`;
}

/** Of two images of one repository what comes behind it. */
function withoutRepository(before: string, after: string): readonly [string, string] {
  const end = before.lastIndexOf(':') + 1;
  return end > 0 && after.lastIndexOf(':') + 1 === end && before.slice(0, end) === after.slice(0, end)
    ? [before.slice(end), after.slice(end)]
    : [before, after];
}

/** The fold of equal releases, in at most `room` bytes, or as short as it gets; no text where there is nothing to tell. */
function foldText({ first, others }: EqualReleases, room: number): Folds {
  const { release, objects, hooks, warnings } = first;
  const notes = warnings.map((text) => `- warning: ${code(text)}\n\n`);
  const names = others.length === 0 ? [] : [`The same in ${others.map(nameOf).join(', ')}.\n\n`];
  const changes = [...notes, ...objects.map(objectText), ...hooks.map(objectText)];
  if (changes.length === 0) return { text: '', leftOut: 0 };
  const state = stateOf(first).replaceAll('*', '');
  const more = others.length === 0 ? '' : ` and ${countOf(others.length, 'more release')}`;
  const start = `\n<details><summary>${code(release)} in ${placeOf(first)}${more}: ${state}</summary>\n\n`;
  const end = '</details>\n';
  const parts = [...names, ...changes];
  let text = start;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const later = isLast ? '' : leftOutText(parts.length - index - 1);
    const leftOut = parts.length - index;
    if (sizeOf(text + part + later + end) > room) return { text: `${text}${leftOutText(leftOut)}${end}`, leftOut };
    text += part;
  }
  return { text: text + end, leftOut: 0 };
}

const nameOf = (review: ReleaseReview): string => `${code(review.release)} in ${placeOf(review)}`;

const leftOutText = (count: number): string =>
  `_${countOf(count, 'part')} left out: the comment would be too long._\n\n`;

const words = {
  added: 'added',
  changed: 'changed',
  removed: 'removed',
  kept: 'left in the cluster',
  unchanged: 'unchanged',
} as const;

function objectText(object: ReviewedObject): string {
  const { id, events, diff, random, notes, problem } = object;
  const hook = events === undefined ? '' : ` (${events.join(', ')} hook)`;
  const title = `${code(formatId(id) + hook)} ${verdictOf(object)}\n\n`;
  const remarks = [
    ...(random === undefined ? [] : [`- ${code(randomValues(random))}\n`]),
    ...notes.map((note) => `- note: ${code(note)}\n`),
    ...(problem === undefined ? [] : [`- **refused**: ${code(problem)}\n`]),
  ].join('');
  return `${title}${remarks === '' ? '' : `${remarks}\n`}${diff === '' ? '' : `${fenced(diff)}\n`}`;
}

function verdictOf({ change, replacedFor, insteadOf, succeededBy }: ReviewedObject): string {
  if (replacedFor !== undefined) return `replaced: ${code(whyReplaced(replacedFor))}`;
  if (succeededBy !== undefined) return `${words[change]}; ${code(succeededBy.name)} takes its place`;
  return insteadOf === undefined ? words[change] : `${words[change]} in place of ${code(insteadOf.name)}`;
}

/** A fence is longer than any run of backticks inside; control characters, which hide text, are made visible. */
export const fenceFor = (text: string): string =>
  '`'.repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map(({ length }) => length + 1)));

function fenced(diff: string): string {
  const fence = fenceFor(diff);
  return `${fence}diff\n${endingInLineBreak(visible(diff))}${fence}\n`;
}

/** Text of somebody else in one line of Markdown: nothing in it has a meaning there, nor in HTML. */
export const plain = (text: string): string =>
  visible(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]#!|~<>&@:$]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\bwww\./gi, (start) => start.replace('.', '&#46;'));

/** The same as code: there nobody is mentioned and no issue is linked either. */
export const code = (text: string): string => `<code>${plain(text)}</code>`;

/** Bytes: never fewer than the characters that the limits count. */
const sizeOf = (text: string): number => Buffer.byteLength(text);

/** Without characters that hide text or turn its direction round. */
const visible = (text: string): string =>
  text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** So many releases that their folds have no room: the table alone, as far as it goes. */
function cutTable(
  start: string,
  reviews: readonly ReleaseReview[],
  { limit, command }: { readonly limit: number; readonly command: string | undefined },
): string {
  const top = (count: number): string =>
    `\n**${countOf(count, 'more release')} and all diffs left out: the comment would be too long.** ${allShownBy(command)}\n`;
  const most = sizeOf(top(reviews.length));
  let rows = ['', ...tableHead, ''].join('\n');
  // What changes is what a reviewer looks for.
  const sorted = [...reviews.filter(changesAnything), ...reviews.filter((review) => !changesAnything(review))];
  for (const [index, review] of sorted.entries()) {
    const line = `${row(review)}\n`;
    if (sizeOf(start + rows + line) + most > limit) return start + top(reviews.length - index) + rows;
    rows += line;
  }
  return start + top(0) + rows;
}
