// Writes docs/api.md, the reference of the library, from its declarations: `npm run docs:api`. A test compares the page with
// the sources, so that every change of the face is a change of the page, and is seen in review.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeTypes } from './types.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The page, from what the faces export (declarations.mjs). */
export function apiPage(faces) {
  return `# API reference
What \`tshelm\` and \`tshelm/testing\` export, as it is declared. [sdk.md](sdk.md) shows how it is used and says what is stable. This page is made from the sources: \`npm run docs:api\`.
${section('tshelm', faces['index.d.ts'])}${section('tshelm/testing', faces['testing.d.ts'])}`;
}

function section(name, exported) {
  const known = [...exported].sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  const parts = known.map(([each, { text }]) => `\n### ${each}\n\`\`\`ts\n${shown(text)}\n\`\`\`\n`);
  return `\n## ${name}\n${parts.join('')}`;
}

/** Without the words that every declaration has, and two blanks deep. */
const shown = (text) =>
  text
    .trim()
    .replace(/^export (?:declare )?/gm, '')
    .replace(/^ {4}#private;\n/gm, '')
    .replace(/^(?: {4})+/gm, (blanks) => ' '.repeat(blanks.length / 2))
    .replace(/\.ts"\)/g, '.js")');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-types-'));
  writeFileSync(join(root, 'docs/api.md'), apiPage(writeTypes(folder)));
  rmSync(folder, { recursive: true });
}
