import graphScript from '../browser/graph.script';
import type { Picture, PictureBox } from '../picture-types.ts';
import { type BoxInfo, boxesOf, type End, holdsBoxes, kindWord, openAtFirst } from './boxes.ts';
import commonStyle from './common.css?raw';
import { htmlPage, listText } from './document.ts';
import { drawingText } from './drawing.ts';
import graphStyle from './graph.css?raw';
import { escapeHtml, firstOf } from './markup.ts';

export interface Graph {
  readonly title: string;
  /** Stands behind the title, smaller: `wait: ordered`. */
  readonly remark?: string | undefined;
  readonly picture: Picture;
  /** What the drawing shows, in a sentence or two. */
  readonly about: string;
  readonly warnings: readonly string[];
}

/** A graph as one HTML page: a drawing to move in, to open and to search, beside it what is known of each box. */
export function graphPage({ title, remark, picture, about, warnings }: Graph): string {
  const infos = boxesOf(picture);
  const small = remark === undefined ? '' : ` <small>(${escapeHtml(remark)})</small>`;
  return htmlPage({
    title,
    style: commonStyle + graphStyle,
    script: graphScript,
    header: `<h1>${escapeHtml(title)}${small}</h1>
<div class="tools">
<input id="search" type="search" placeholder="Find ( / )" aria-label="Find a chart, group or resource" size="22"> <span id="found" role="status"></span>
<span class="buttons"><button id="out" title="Zoom out (-)" aria-label="Zoom out">−</button><button id="in" title="Zoom in (+)" aria-label="Zoom in">+</button><button id="fit" title="Fit everything (0)">Fit</button></span>
<span class="buttons"><button id="open">Open all</button><button id="close">Close all</button></span>
<button id="text" aria-pressed="false" title="The same as text (t)">As text</button>
</div>`,
    main: `<main>${drawingText(picture, openAtFirst(picture), title)}
<svg id="overview" aria-hidden="true"></svg>
${legendText(picture, infos)}</main>
<aside aria-label="Details" tabindex="-1">
<section data-of="">
<h2>${infos.length === 0 ? 'Nothing to do' : 'What this shows'}</h2>
<p>${infos.length === 0 ? 'There is nothing to do.' : escapeHtml(about)}</p>
${listText('Warnings', warnings.map(escapeHtml), 'warnings')}
<div class="keys"><h3>Keys</h3>
<p><kbd>↑</kbd> <kbd>↓</kbd> from box to box, <kbd>→</kbd> open, <kbd>←</kbd> close, <kbd>Enter</kbd> details, <kbd>Shift</kbd> with arrows move the drawing, <kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd> zoom, <kbd>/</kbd> find, <kbd>t</kbd> text, <kbd>Esc</kbd> back</p></div>
</section>
<section data-of="search" hidden><h2>Found</h2><ul id="hits"></ul></section>
${panelsText(infos)}
</aside>`,
  });
}

const meanings: Readonly<Record<PictureBox['kind'], string>> = {
  step: 'a step of the change',
  hook: 'a hook',
  chart: 'a subchart with everything in it',
  group: 'a resource group or layer',
  resources: 'a chart’s own resources',
  release: 'a release',
};

/** What shapes and colours mean: of those that the picture has. */
function legendText(picture: Picture, infos: readonly BoxInfo[]): string {
  const kinds = new Set(infos.map(({ box }) => box.kind));
  const shapes = (Object.keys(meanings) as PictureBox['kind'][])
    .filter((kind) => kinds.has(kind))
    .map((kind) =>
      entry(
        `<g class="box ${kind}"><rect class="frame" x="1" y="2" width="26" height="14" rx="4"/></g>`,
        meanings[kind],
      ),
    );
  const pictures = [picture, ...infos.flatMap(({ box }) => box.inside ?? [])];
  const hasGates = pictures.some(({ gates }) => gates.length > 0);
  const hasBands = pictures.some(({ columns }) => columns.some(({ caption }) => caption !== ''));
  const arrow = entry('<path class="arrow" d="M1 9H26" marker-end="url(#tip)"/>', 'comes before');
  const gate = entry(
    '<path class="arrow" d="M1 9H18" marker-end="url(#tip)"/><path class="gate" d="M20 2V16"/>',
    'comes before everything in the column',
  );
  const band = entry('<g class="band"><rect x="1" y="2" width="26" height="14" rx="3"/></g>', 'runs together');
  return `<details id="legend"><summary>Legend</summary><ul>${[...shapes, ...(hasBands ? [band] : []), arrow, ...(hasGates ? [gate] : [])].join('')}</ul></details>`;
}

const entry = (shape: string, meaning: string): string =>
  `<li><svg class="key" width="28" height="18" aria-hidden="true">${shape}</svg> ${meaning}</li>`;

/** One section for each box: what it holds and why it is there. All of them together are the drawing as text. */
const panelsText = (infos: readonly BoxInfo[]): string => infos.map(panelText).join('\n');

function panelText({ box, around, after, before }: BoxInfo): string {
  const { id, kind, title, contents, reasons } = box;
  const steps = holdsBoxes(box) ? box.inside.columns.map(({ boxes }) => linksTo(boxes)) : [];
  const place = around.length === 0 ? '' : `<p class="place">in ${around.map(linkTo).join(' › ')}</p>`;
  return `<section data-of="${id}" hidden>
<h2>${kindWord[kind]} ${escapeHtml(title)}</h2>
${place}${listText('Why it is here', firstOf(reasons.map(escapeHtml), mostEnds))}
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
