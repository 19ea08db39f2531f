import type { ReleaseReview, ReviewedObject } from '../../actions/comparison/review.ts';
import { formatId } from '../../manifest/resource-id.ts';
import { endingInLineBreak } from '../../support/text.ts';
import { whyReplaced } from '../../words/replacement.ts';
import { equalReleases, placedName, sameIn } from './equal-releases.ts';
import { randomValues } from './random-text.ts';

/** The diffs of reviewed releases for a terminal; those that change in the same way once. */
export const reviewsText = (reviews: readonly ReleaseReview[]): string =>
  equalReleases(reviews)
    .map(({ first, others }) => `${reviewText(first)}${others.length === 0 ? '' : `\n${sameIn(others)}`}`)
    .join('\n');

function reviewText(review: ReleaseReview): string {
  const { action, objects, hooks, warnings } = review;
  const changes = [...objects, ...hooks].map(objectText);
  const head = `${action} ${placedName(review)}\n${warnings.map((text) => `warning: ${text}\n`).join('')}`;
  return [head, ...(changes.length === 0 ? ['no changes\n'] : changes)].join('\n');
}

function objectText(object: ReviewedObject): string {
  const { id, change, events, insteadOf, replacedFor, random, notes, problem, diff } = object;
  const hook = events === undefined ? '' : ` (${events.join(', ')} hook)`;
  const place = insteadOf === undefined ? '' : ` in place of ${insteadOf.name}`;
  const remarks = [
    ...(random === undefined ? [] : [randomValues(random)]),
    ...notes.map((note) => `note: ${note}`),
    ...(problem === undefined ? [] : [`refused: ${problem}`]),
  ];
  const lines = remarks.map((text) => `  ${text.replaceAll('\n', '\n  ')}\n`).join('');
  const what = replacedFor === undefined ? change : `replaced (${whyReplaced(replacedFor)})`;
  return `${formatId(id)}${hook}: ${what}${place}\n${lines}${diff === '' ? '' : endingInLineBreak(diff)}`;
}
