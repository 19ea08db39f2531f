import { createHash } from 'node:crypto';
import type { Plan } from '../../plan/types.ts';
import { type Picture, pictureOf } from '../picture.ts';
import { type BoxInfo, boxesOf, drawingText, kindWord } from './drawing.ts';
import { escapeHtml } from './markup.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/**
 * A plan as one HTML page that needs nothing else: the graph, and beside it what is known of each box. Its policy allows
 * only the style and the script that it carries, so that no name in a chart can make it do or load anything.
 */
export function planPage(plan: Plan): string {
  const title = `${plan.action} ${plan.release} in namespace ${plan.namespace}`;
  const picture = pictureOf(plan);
  const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)} <small>(wait: ${plan.strategy})</small></h1>
<input id="search" type="search" placeholder="Find a chart, group or resource  ( / )" aria-label="Find" size="34">
<span><button id="out" title="Zoom out (-)">−</button> <button id="in" title="Zoom in (+)">+</button> <button id="fit" title="All of it (0)">Fit</button></span>
</header>
<main>${drawingText(picture, title)}</main>
<aside aria-live="polite">
${overview(plan)}
${panels(picture)}
</aside>
<script>${script}</script>
</body>
</html>
`;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What stands beside the graph while no box is picked. */
function overview({ steps, warnings }: Plan): string {
  const warned = listText('Warnings', warnings.map(escapeHtml), 'warnings');
  const what =
    steps.length === 0
      ? 'There is nothing to do.'
      : 'From left to right: what stands in one column runs together, and the next column begins when all of it is ready. Pick a box to see what it holds and why it stands there.';
  return `<section data-of="">
<h2>The plan</h2>
<p>${what}</p>
${warned}
<h3>Keys</h3>
<p><kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd> zoom, arrows move, <kbd>Tab</kbd> and <kbd>Enter</kbd> pick, <kbd>/</kbd> finds, <kbd>Esc</kbd> ends</p>
</section>`;
}

function panels(picture: Picture): string {
  const infos = boxesOf(picture);
  const titles = new Map(infos.map(({ box }) => [box.id, box.title]));
  const waiting = new Map<string, string[]>(infos.map(({ box }) => [box.id, []]));
  for (const { box, after } of infos) for (const id of after) waiting.get(id)?.push(box.id);
  const linkTo = (id: string): string => `<a href="#${id}">${escapeHtml(titles.get(id) ?? '')}</a>`;
  return infos.map((info) => panelText(info, linkTo, waiting.get(info.box.id) ?? [])).join('\n');
}

function panelText({ box, after }: BoxInfo, linkTo: (id: string) => string, waiting: readonly string[]): string {
  const { id, kind, title, contents, reasons, inside } = box;
  const batches = (inside?.columns ?? []).map(({ boxes }) => boxes.map((inner) => linkTo(inner.id)).join(', '));
  return `<section data-of="${id}" hidden>
<h2>${kindWord[kind]} ${escapeHtml(title)}</h2>
${listText('Why it stands here', reasons.map(escapeHtml))}
${listText('Comes after', after.map(linkTo))}
${listText('Waits for it', waiting.map(linkTo))}
${listText('One after another', batches)}
${listText(
  kind === 'hook' ? 'Hooks' : 'Resources',
  contents.map((line) => `<code>${escapeHtml(line)}</code>`),
)}
</section>`;
}

/** A headed list of markup; nothing where it is empty. */
function listText(heading: string, items: readonly string[], className = ''): string {
  if (items.length === 0) return '';
  return `<h3>${heading}</h3><ul${className && ` class="${className}"`}>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}
