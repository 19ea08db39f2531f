import type { PictureBox } from '../picture-types.ts';
import { type BoxInfo, type End, holdsBoxes, kindWord } from './boxes.ts';
import { listText } from './document.ts';
import { escapeHtml, firstOf } from './markup.ts';

/** One section for each box: what it holds and why it stands there. All of them together are the drawing as text. */
export const panelsText = (infos: readonly BoxInfo[]): string => infos.map(panelText).join('\n');

function panelText({ box, around, after, before }: BoxInfo): string {
  const { id, kind, title, contents, reasons } = box;
  const steps = holdsBoxes(box) ? box.inside.columns.map(({ boxes }) => linksTo(boxes)) : [];
  const place = around.length === 0 ? '' : `<p class="place">in ${around.map(linkTo).join(' › ')}</p>`;
  return `<section data-of="${id}" hidden>
<h2>${kindWord[kind]} ${escapeHtml(title)}</h2>
${place}${listText('Why it is here', shorterReasons(reasons).map(escapeHtml))}
${listText('Comes after', firstOf(after.map(endText), mostEnds))}
${listText('Comes before', firstOf(before.map(endText), mostEnds))}
${listText('One after another', steps)}
${listText(
  kind === 'hook' ? 'Hooks' : kind === 'release' ? 'Release' : 'Resources',
  contents.map((line) => `<code>${escapeHtml(line)}</code>`),
)}
</section>`;
}

const linkTo = ({ id, title }: PictureBox): string => `<a href="#${id}">${escapeHtml(title)}</a>`;
const mostLinks = 12;
const mostEnds = 40;
const linksTo = (boxes: readonly PictureBox[]): string => boxes.map(linkTo).join(', ');

const endText = (end: End): string =>
  end.kind === 'box'
    ? linkTo(end.box)
    : `all ${end.boxes.length} of ${escapeHtml(end.caption || 'the column')}: ${firstOf(end.boxes.map(linkTo), mostLinks).join(', ')}`;

/** Many reasons with the same cause are counted: `waits for 380 others: Chart.yaml depends-on`. */
function shorterReasons(reasons: readonly string[]): readonly string[] {
  if (reasons.length <= mostLinks) return reasons;
  const byCause = new Map<string, string[]>();
  for (const reason of reasons) {
    const cause = reason.slice(reason.lastIndexOf(': ') + 1);
    byCause.set(cause, [...(byCause.get(cause) ?? []), reason]);
  }
  return [...byCause].flatMap(([cause, same]) =>
    same.length <= 3 ? same : [`waits for ${same.length} others:${cause}`],
  );
}
