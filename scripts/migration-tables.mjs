// Writes the tables of docs/from-helm-3.md and docs/stack.md from the one that `tshelm migrate` judges by:
// src/cli/migrate/table.json (`npm run docs:migration`).
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { helm, helmfile, plugins, ci } = JSON.parse(readFileSync(join(root, 'src/cli/migrate/table.json'), 'utf8'));

/** A command is code, a description is not. */
const written = (text) => (text.startsWith('tshelm ') ? `\`${text}\`` : text);

const tables = [
  [
    'docs/from-helm-3.md',
    '| Helm 3 | here | Helm 4 |\n|---|---|---|\n',
    helm.map((row) => [row.helm3, row.here, row.helm4]),
  ],
  ['docs/from-helm-3.md', '| plugin | here |\n|---|---|\n', plugins.map((row) => [row.plugin, row.here])],
  [
    'docs/from-helm-3.md',
    '| in CI files | here |\n|---|---|\n',
    ci.map((row) => [row.what, row.write ? `${row.here}. Write instead: ${written(row.write)}` : row.here]),
  ],
  ['docs/stack.md', '| helmfile | tshelm |\n|---|---|\n', helmfile.map((row) => [row.helmfile, row.here])],
];

/** Each page as it must be: `[path, text]`. */
export function migrationPages() {
  const pages = new Map();
  for (const [path, head, rows] of tables) {
    const page = pages.get(path) ?? readFileSync(join(root, path), 'utf8');
    const start = page.indexOf(head);
    if (start < 0) throw new Error(`${path} has no table that begins with ${head}`);
    const end = page.indexOf('\n\n', start);
    const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
    pages.set(path, page.slice(0, start) + head + table + page.slice(end));
  }
  return [...pages];
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of migrationPages()) writeFileSync(join(root, path), text);
