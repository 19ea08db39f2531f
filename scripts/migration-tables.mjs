// Writes the tables of docs/from-helm-3.md and docs/stack.md from the one that `tshelm migrate` judges by:
// src/cli/migrate/table.json (`npm run docs:migration`).
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { helm, helmfile } = JSON.parse(readFileSync(join(root, 'src/cli/migrate/table.json'), 'utf8'));

const tables = [
  [
    'docs/from-helm-3.md',
    '| Helm 3 | here | Helm 4 |\n|---|---|---|\n',
    helm.map((row) => [row.helm3, row.here, row.helm4]),
  ],
  ['docs/stack.md', '| helmfile | tshelm |\n|---|---|\n', helmfile.map((row) => [row.helmfile, row.here])],
];

/** Each page as it must be: `[path, text]`. */
export function migrationPages() {
  return tables.map(([path, head, rows]) => {
    const page = readFileSync(join(root, path), 'utf8');
    const start = page.indexOf(head);
    if (start < 0) throw new Error(`${path} has no table that begins with ${head}`);
    const end = page.indexOf('\n\n', start);
    const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
    return [path, page.slice(0, start) + head + table + page.slice(end)];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of migrationPages()) writeFileSync(join(root, path), text);
