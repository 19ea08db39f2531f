// Writes docs/api.md, the reference of the library, from its declarations: `npm run docs:api`. A test compares the page with
// the sources, so that every change of the face is a change of the page, and is seen in review.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callSections } from './api-calls.mjs';
import { writeTypes } from './types.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The page, from what the faces export (declarations.mjs), and from the types as the compiler sees them. */
export function apiPage(faces) {
  return `# API reference
Each call of the library with its options and what comes back, and below the types that they speak of. [sdk.md](sdk.md) shows how it is used and says what is stable; [errors.md](errors.md) lists the failures. This page is made from the sources: \`npm run docs:api\`.

${callSections(root)}${section('Types of tshelm', faces['index.d.ts'])}${section('tshelm/testing', faces['testing.d.ts'])}${section('tshelm/go-template', faces['go-template.d.ts'])}${section('tshelm/go-template/functions', faces['go-template-functions.d.ts'])}${section('tshelm/go-yaml', faces['go-yaml.d.ts'])}`;
}

/** What the tables above say, and the codes, which have a page of their own. */
const isToldElsewhere = (name) =>
  /^(?:Tshelm|Dependencies|Repositories|Stack|ErrorDetails)$/.test(name) ||
  (name.endsWith('Options') && !/^(?:Cluster|FormatDiff)/.test(name));

/** In alphabetical order. */
function section(title, exported) {
  const isOfTables = title.startsWith('Types');
  const named = [...exported].filter(([name]) => !isOfTables || !isToldElsewhere(name));
  const known = named.sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  const parts = known.map(([each, { text }]) => `\n### ${each}\n\`\`\`ts\n${shown(text)}\n\`\`\`\n`);
  return `\n## ${title}\n${parts.join('')}`;
}

/** Without the words that every declaration has, and two blanks deep. */
const shown = (text) =>
  text
    .trim()
    .replace(/^export (?:declare )?/gm, '')
    .replace(/^ {4}#private;\n/gm, '')
    .replace(/^(?: {4})+/gm, (blanks) => ' '.repeat(blanks.length / 2))
    .replace(/\.ts"\)/g, '.js")')
    // By the name that the library exports it by.
    .replaceAll('ExecutionEvent', 'TshelmEvent');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-types-'));
  writeFileSync(join(root, 'docs/api.md'), apiPage(writeTypes(folder)));
  rmSync(folder, { recursive: true });
}
