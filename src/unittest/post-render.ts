import { trimSpace } from '../manifest/split.ts';
import { compareText } from '../support/order.ts';

const fileKey = '#### file:';
const fileSeparator = `---\n${fileKey}`;

/** All files as one text for a post-renderer, each behind a comment with its path, in the order of their paths. */
export const joinedFiles = (files: ReadonlyMap<string, string>): string =>
  [...files]
    .sort(([a], [b]) => compareText(a, b))
    .map(([path, text]) => `${fileSeparator} ${path}\n${trimSpace(text)}\n`)
    .join('');

/** The files by their comments again; `manifest.yaml` is everything where no comment is left. */
export function splitFiles(text: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const block of blocksOf(text)) {
    const at = block.indexOf(`${fileKey} `);
    if (at < 0) continue;
    const lineEnd = block.indexOf('\n', at);
    const comment = block.slice(at, lineEnd < 0 ? undefined : lineEnd);
    const opening = `---\n${comment}\n`;
    files.set(comment.slice(fileKey.length + 1), block.startsWith(opening) ? block.slice(opening.length) : block);
  }
  return files.size > 0 ? files : new Map([['manifest.yaml', text]]);
}

function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let start = 0;
  for (let at = text.indexOf(fileSeparator, 1); at >= 0; at = text.indexOf(fileSeparator, start + 1)) {
    blocks.push(text.slice(start, at));
    start = at;
  }
  return [...blocks, text.slice(start)];
}
