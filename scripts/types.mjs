// Writes dist/types/, the declarations of the library, before it is packed.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const types = join(root, 'dist/types');
const compiler = join(root, 'node_modules/.bin/tsc');
execFileSync(compiler, ['-p', join(root, 'tsconfig.types.json'), '--outDir', types], { stdio: 'inherit' });

// The sources import './x.ts'; what stands in dist/types are declarations of './x.js'.
for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue;
  const path = join(types, name);
  writeFileSync(path, readFileSync(path, 'utf8').replace(/(from |import\()'(\.[^']*)\.ts'/g, "$1'$2.js'"));
}
