import {
  changesAnything,
  type ReleaseReview,
  type ReviewedObject,
  refusedObjects,
} from '../../actions/comparison/review.ts';
import { formatId } from '../../manifest/resource-id.ts';
import { endingInLineBreak } from '../../support/text.ts';

/** Characters that a comment may have on GitHub and on GitLab, less some for what a bot puts around it. */
export const commentLimits = { github: 65_536 - 1_536, gitlab: 1_000_000 - 10_000 } as const;

/** What fits where a job runs: GitLab's jobs comment on GitLab. */
export const commentLimit = (env: Readonly<Record<string, string | undefined>>): number =>
  env['GITLAB_CI'] ? commentLimits.gitlab : commentLimits.github;

/**
 * Changes of releases as a comment for a pull request: a table of the releases, and a fold for each with its diff. The
 * same changes give the same text. Where it would be longer than `limit`, the diffs that do not fit any more are left out,
 * and each fold says how many.
 */
export function reviewMarkdown(reviews: readonly ReleaseReview[], limit: number = commentLimits.github): string {
  const head = [marker, '', `### tshelm: ${headline(reviews)}`, '', ...table(reviews), ''].join('\n');
  const outlines = reviews.map((review) => sizeOf(foldText(review, 0)));
  const fixed = sizeOf(head) + outlines.reduce((sum, size) => sum + size, 0);
  if (fixed > limit) return cutTable(reviews, limit);
  let spare = limit - fixed;
  const folds = reviews.map((review, index) => {
    const outline = outlines[index] ?? 0;
    const text = foldText(review, outline + spare);
    spare -= Math.max(0, sizeOf(text) - outline);
    return text;
  });
  return `${head}${folds.join('')}`;
}

/** A bot finds its last comment by it. */
const marker = '<!-- tshelm review -->';

function headline(reviews: readonly ReleaseReview[]): string {
  const changed = reviews.filter(changesAnything).length;
  const refused = reviews.filter((review) => refusedObjects(review).length > 0).length;
  const text = changed === 0 ? 'no changes' : `${changed} of ${counted(reviews.length, 'release')} would change`;
  return refused === 0 ? text : `${text}, ${refused} would be refused`;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

const tableHead = [
  '| Release | Namespace | Change | Revision | Add | Change | Remove | Keep | Same |',
  '|---|---|---|---|--:|--:|--:|--:|--:|',
];

const table = (reviews: readonly ReleaseReview[]): readonly string[] => [...tableHead, ...reviews.map(row)];

function row(review: ReleaseReview): string {
  const { release, namespace, from, to, counts } = review;
  const old = from === undefined ? '' : `${from.revision} (${from.chart})`;
  const next = review.action === 'uninstall' ? '' : `${to.revision} (${to.chart})`;
  const revisions = [old, next].filter((text) => text !== '').join(' → ');
  const { added, changed, removed, kept, unchanged } = counts;
  const cells = [code(release), code(namespace), stateOf(review), revisions === '' ? '' : code(revisions)];
  return `| ${[...cells, added, changed, removed, kept, unchanged].join(' | ')} |`;
}

function stateOf(review: ReleaseReview): string {
  const { action, from } = review;
  const state =
    action === 'uninstall' ? 'gone' : from === undefined ? 'new' : changesAnything(review) ? 'changed' : 'unchanged';
  return refusedObjects(review).length > 0 ? `${state}, **refused**` : state;
}

/** The fold of one release, in at most `room` bytes, or as short as it gets; '' where there is nothing to tell. */
function foldText(review: ReleaseReview, room: number): string {
  const { release, namespace, objects, hooks, warnings } = review;
  const told = warnings.map((text) => `- warning: ${code(text)}\n\n`);
  const parts = [...told, ...objects.map(objectText), ...hooks.map(objectText)];
  if (parts.length === 0) return '';
  const state = stateOf(review).replaceAll('*', '');
  const start = `\n<details><summary>${code(release)} in ${code(namespace)}: ${state}</summary>\n\n`;
  const end = '</details>\n';
  let text = start;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const more = isLast ? '' : leftOutText(parts.length - index - 1);
    if (sizeOf(text + part + more + end) > room) return `${text}${leftOutText(parts.length - index)}${end}`;
    text += part;
  }
  return text + end;
}

const leftOutText = (count: number): string =>
  `_${counted(count, 'part')} left out: the comment would be too long. \`tshelm show-plan\` and \`tshelm diff\` show all._\n\n`;

const words = {
  added: 'added',
  changed: 'changed',
  removed: 'removed',
  kept: 'left in the cluster',
  unchanged: 'unchanged',
} as const;

function objectText({ id, change, events, diff, notes, problem, replacedFor }: ReviewedObject): string {
  const hook = events === undefined ? '' : ` (${events.join(', ')} hook)`;
  const title = `${code(formatId(id) + hook)} ${replacedFor === undefined ? words[change] : 'replaced'}\n\n`;
  const remarks = [
    ...notes.map((note) => `- note: ${code(note)}\n`),
    ...(problem === undefined ? [] : [`- **refused**: ${code(problem)}\n`]),
  ].join('');
  return `${title}${remarks === '' ? '' : `${remarks}\n`}${diff === '' ? '' : `${fenced(diff)}\n`}`;
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
function cutTable(reviews: readonly ReleaseReview[], limit: number): string {
  const note = (count: number): string =>
    `\n_${counted(count, 'more release')} and all diffs left out: the comment would be too long._\n`;
  const most = sizeOf(note(reviews.length));
  let text = `${[marker, '', `### tshelm: ${headline(reviews)}`, '', ...tableHead].join('\n')}\n`;
  // What changes is what a reviewer looks for.
  const sorted = [...reviews.filter(changesAnything), ...reviews.filter((review) => !changesAnything(review))];
  for (const [index, review] of sorted.entries()) {
    const line = `${row(review)}\n`;
    if (sizeOf(text + line) + most > limit) return text + note(reviews.length - index);
    text += line;
  }
  return text + note(0);
}
