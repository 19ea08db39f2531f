// Writes docs/errors.md from the union of error codes: `npm run docs:errors`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Every code with what it means, the way out, and its details, by name: from `ErrorDetails` of every room. */
export function errorCodes() {
  const rooms = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const files = ['support/errors.ts', ...rooms.map(({ name }) => `${name}/error-codes.ts`)];
  return files.flatMap(codesIn).sort((a, b) => (a.code < b.code ? -1 : 1));
}

function codesIn(file) {
  const path = join(root, 'src', file);
  const text = readIfThere(path);
  const block = /interface ErrorDetails \{\n(.*?)\n {0,2}\}/s.exec(text)?.[1] ?? '';
  return [...block.matchAll(/\/\*\*(.*?)\*\/\s*'?([a-z-]+)'?:(.*?);(?=\n\s*\/\*\*|\s*$)/gs)].map(
    ([, comment, code, type]) => {
      const words = comment
        .replace(/^\s*\*\s?/gm, ' ')
        .replace(/\s+/g, ' ')
        .trim();
      const [, meaning = words, wayOut = ''] = /^(.*?\.) (.*)$/.exec(words) ?? [];
      const details = type.replaceAll('readonly ', '').replace(/\s+/g, ' ').trim();
      return { code, meaning, wayOut, details: details === 'NoDetails' ? '' : details, file };
    },
  );
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

export function errorPage() {
  const cell = (text) => text.replaceAll('|', '\\|');
  const rows = errorCodes().map(
    ({ code, meaning, wayOut, details }) =>
      `| \`${code}\` | ${cell(meaning)} | ${cell(wayOut)} | ${details === '' ? '' : `\`${cell(details)}\``} |`,
  );
  return `# Error codes
Every failure has a code. It stands in the file of \`--report\`, in the events of \`--progress=json\`, in the JUnit file, and is \`error.code\` in the library, where \`error.details\` holds the facts.
The message on standard error is Helm's where Helm has one. This page is made from the sources: \`npm run docs:errors\`.

| code | what it means | what to do | details |
|---|---|---|---|
${rows.join('\n')}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(join(root, 'docs/errors.md'), errorPage());
