import { trimPrefix } from '../../support/text.ts';
import { foldedFor } from '../terminal/fit.ts';
import { fittedTable } from '../terminal/fitted-table.ts';
import type { Io } from '../terminal/io.ts';
import type { Paint } from '../terminal/paint.ts';

/** A section as a terminal shows it: headings, code and links without Markdown's marks, paragraphs folded, tables fitted. */
export function terminalText(markdown: string, io: Pick<Io, 'stdout' | 'env'>, paint: Paint): string {
  const texts = blocksOf(markdown).map((block) => {
    const text = blockText(block, io, paint);
    return block.kind === 'text' ? text : `\n${text}\n`;
  });
  return `${texts
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

type Block =
  | { readonly kind: 'text' | 'heading'; readonly text: string }
  | { readonly kind: 'table' | 'example' | 'message'; readonly lines: readonly string[] };

/** Each line of a page is a paragraph or an item of a list; tables and examples are several. An example of no language is what a program says. */
function blocksOf(markdown: string): readonly Block[] {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  const takeWhile = (at: number, belongs: (line: string) => boolean): readonly string[] => {
    const end = lines.findIndex((line, index) => index >= at && !belongs(line));
    return lines.slice(at, end < 0 ? lines.length : end);
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trimStart().startsWith('```')) {
      const inside = takeWhile(at + 1, (one) => !one.trimStart().startsWith('```'));
      blocks.push({ kind: line.trim() === '```' ? 'message' : 'example', lines: inside });
      at += inside.length + 1;
    } else if (line.startsWith('|')) {
      const inside = takeWhile(at, (one) => one.startsWith('|'));
      blocks.push({ kind: 'table', lines: inside });
      at += inside.length - 1;
    } else blocks.push({ kind: /^#{1,6} /.test(line) ? 'heading' : 'text', text: line });
  }
  return blocks;
}

function blockText(block: Block, io: Pick<Io, 'stdout' | 'env'>, paint: Paint): string {
  switch (block.kind) {
    case 'heading':
      return foldedFor(io.stdout, inlineText(block.text.replace(/^#+ /, ''), plainSpan), '')
        .split('\n')
        .map(paint.strong)
        .join('\n');
    case 'text':
      return foldedFor(io.stdout, inlineText(block.text, paintedSpan(paint)), '');
    case 'example':
      return block.lines.map((line) => (line === '' ? '' : `    ${paint.dim(line)}`)).join('\n');
    case 'message':
      return block.lines.map((line) => paint.dim(foldedFor(io.stdout, `    ${line}`))).join('\n');
    case 'table':
      return fittedTable(tableRows(block.lines), io, { maxLines: Infinity }).trimEnd();
    default:
      return block satisfies never;
  }
}

type Span = (kind: 'code' | 'strong', text: string) => string;
const plainSpan: Span = (_kind, text) => text;
const paintedSpan =
  (paint: Paint): Span =>
  (kind, text) =>
    kind === 'code' ? paint.busy(text) : paint.strong(text);

/** Code and emphasis without their marks; a link with what `explain` takes, or its address. */
const inlineText = (text: string, span: Span): string =>
  text.replaceAll(inline, (_all, ...[code, strong, title, target]: readonly (string | undefined)[]) => {
    if (code !== undefined) return span('code', code);
    if (strong !== undefined) return span('strong', inlineText(strong, plainSpan));
    const place = trimPrefix(target ?? '', '../').replace(/\.md(?=#|$)/, '');
    return inlineText(title ?? '', span) + (place.startsWith('#') || place === title ? '' : ` (${place})`);
  });

const inline = /`([^`]+)`|\*\*([^*]+)\*\*|!?\[([^\]]*)\]\(([^)]*)\)/g;

const tableRows = ([header = '', _line, ...rows]: readonly string[]): readonly (readonly string[])[] =>
  [header, ...rows].map((row) =>
    row
      .slice(1, row.lastIndexOf('|'))
      .split(/(?<!\\)\|/)
      .map((cell) => inlineText(cell.trim().replaceAll('\\|', '|'), plainSpan)),
  );
