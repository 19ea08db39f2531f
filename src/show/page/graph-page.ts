import graphScript from '../browser/graph.script';
import type { Picture } from '../picture-types.ts';
import { boxesOf, openAtFirst } from './boxes.ts';
import commonStyle from './common.css?raw';
import { htmlPage, listText } from './document.ts';
import { drawingText } from './drawing.ts';
import graphStyle from './graph.css?raw';
import { legendText } from './legend.ts';
import { escapeHtml } from './markup.ts';
import { panelsText } from './panels.ts';

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
