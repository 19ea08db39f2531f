import { randomNameOf } from '../../actions/comparison/planned-changes.ts';
import type { ReleaseReview, ReviewedObject } from '../../actions/comparison/review.ts';
import { groupBy } from '../../support/group-by.ts';
import { countOf } from '../../support/text.ts';
import { clusterText } from '../words.ts';

/** Releases with the same change: the first one stands for all of them. */
export interface EqualReleases {
  readonly first: ReleaseReview;
  readonly others: readonly ReleaseReview[];
}

/**
 * Groups releases that change in the same way, each in the place of its first one. Their own names and namespaces are no
 * difference, nor are the revisions, the charts, the lines at which something changes, and what each render makes anew.
 */
export const equalReleases = (reviews: readonly ReleaseReview[]): readonly EqualReleases[] =>
  [...groupBy(reviews, keyOf).values()].map(([first, ...others]) => ({ first: first as ReleaseReview, others }));

function keyOf(review: ReleaseReview): string {
  const { action, from, objects, hooks, counts, warnings } = review;
  const changes = [...objects, ...hooks].map(changeKey);
  return unnamed(JSON.stringify([action, from === undefined, counts, changes, warnings]), review);
}

function changeKey({ id, diff, random, ...object }: ReviewedObject): object {
  const [randomName] = randomNameOf({ id, random });
  const lines = diff.split('\n').map((line) => {
    if (line.startsWith('@@')) return '@@';
    return line.slice(1) === `  name: ${randomName}` ? `${line[0]}  name:` : line;
  });
  return {
    ...object,
    id: [id.apiVersion, id.kind, randomName === undefined ? id.name : ''],
    random: random?.map(({ path }) => path),
    diff: lines,
  };
}

/** What names a release, and where it is. */
type Placed = Pick<ReleaseReview, 'release' | 'namespace' | 'cluster'>;

/** `web in shop of context prod (https://…)` */
export const placedName = ({ release, namespace, cluster }: Placed): string =>
  `${release} in ${namespace}${cluster === undefined ? '' : ` of ${clusterText(cluster)}`}`;

/** `the same in 2 more releases: web in shop, api in shop` */
export function sameIn(others: readonly Placed[]): string {
  if (others.length === 0) return '';
  const names = others.map(placedName).join(', ');
  return `the same in ${countOf(others.length, 'more release')}: ${names}\n`;
}

/** Without the names of the release and its namespace, where they are whole words. */
export const unnamed = (text: string, { release, namespace }: Placed): string =>
  withoutWord(withoutWord(text, release, '\0release'), namespace, '\0namespace');

function withoutWord(text: string, word: string, instead: string): string {
  if (word === '') return text;
  const [start = '', ...rest] = text.split(word);
  const pieces = [start];
  // What is before a piece is looked at by its last letter alone: a review may have a megabyte.
  let last = start;
  for (const piece of rest) {
    const put = endsInWord.test(last) || beginsWithWord.test(piece) ? word : instead;
    pieces.push(put, piece);
    last = (piece === '' ? put : piece).slice(-1);
  }
  return pieces.join('');
}

const endsInWord = /[A-Za-z0-9]$/;
const beginsWithWord = /^[A-Za-z0-9]/;
