// Draws what a terminal showed as an SVG: one screen after another, the last one to stay. Rows that are the same are
// drawn once.
const cell = { width: 8.4, height: 18 };
const margin = 14;
const stayMs = 6000;

/**
 * The SVG of a recording: `columns`, `rows` and `screens`, each `{ atMs, rows }` where a row is a list of runs
 * `{ column, text, look }` and `look` one of the classes below, several of them with spaces between.
 */
export function terminalPicture({ title, columns, screens }) {
  const rows = Math.max(...screens.map((screen) => screen.rows.length));
  const [width, height] = [Math.ceil(columns * cell.width + 2 * margin), rows * cell.height + 2 * margin];
  const totalMs = screens.at(-1).atMs + stayMs;
  const drawn = new Map();
  const groups = screens.map((screen, index) => {
    const uses = screen.rows.map((row, y) => useOf(row, y, drawn)).join('');
    return `<g class="s" id="s${index}">${uses}</g>`;
  });
  const rules =
    screens.length > 1 ? screens.map((screen, index) => ruleOf(screens, index, totalMs)).join('\n') : '.s{opacity:1}';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>
text{font:14px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;fill:#d6deeb;white-space:pre}
.b{font-weight:bold}.d{fill:#8b98ad}.c1{fill:#ff7b72}.c2{fill:#7ee787}.c3{fill:#e3b341}.c4{fill:#79c0ff}.c5{fill:#d2a8ff}.c6{fill:#76e3ea}
.s{opacity:0}
${rules}
@media (prefers-reduced-motion:reduce){.s{animation:none;opacity:0}#s${screens.length - 1}{opacity:1}}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#10161f"/>
<defs>${[...drawn].map(([content, id]) => `<text id="${id}">${content}</text>`).join('\n')}</defs>
${groups.join('\n')}
</svg>
`;
}

/** When a screen is seen: from its moment to that of the next. */
function ruleOf(screens, index, totalMs) {
  const percent = (ms) => `${Number(((100 * ms) / totalMs).toFixed(2))}%`;
  const from = index === 0 ? 0 : screens[index].atMs;
  const to = screens[index + 1]?.atMs ?? totalMs;
  const before = from === 0 ? '' : '0%{opacity:0}';
  const after = to === totalMs ? '' : `${percent(to)}{opacity:0}`;
  return `@keyframes k${index}{${before}${percent(from)}{opacity:1}${after}}#s${index}{animation:k${index} ${totalMs}ms step-end infinite}`;
}

function useOf(row, y, drawn) {
  if (row.length === 0) return '';
  const content = row
    .map(
      ({ column, text, look }) =>
        `<tspan x="${x(column)}"${look === '' ? '' : ` class="${look}"`}>${escaped(text)}</tspan>`,
    )
    .join('');
  const id = drawn.get(content) ?? `r${drawn.size}`;
  drawn.set(content, id);
  return `<use href="#${id}" y="${margin + y * cell.height + 13}"/>`;
}

const x = (column) => Number((margin + column * cell.width).toFixed(1));

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
