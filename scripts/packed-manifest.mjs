// package.json as it goes into the package, without what only this repository needs, and one for the examples, which are
// modules in whatever project they are copied to: `npm pack` and `npm publish` call this before they pack, and afterwards
// with `--back`. In the repository the examples find tshelm by the name in its own package.json, and have none.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = join(root, 'package.json');
const kept = join(root, 'node_modules/.cache/tshelm/package.json');
const ofTheRepository = ['scripts', 'devDependencies', 'overrides', 'browser'];

const ofExamples = join(root, 'examples/package.json');

if (process.argv.includes('--back')) {
  renameSync(kept, manifest);
  rmSync(ofExamples, { force: true });
} else {
  const text = readFileSync(manifest, 'utf8');
  const packed = Object.entries(JSON.parse(text)).filter(([key]) => !ofTheRepository.includes(key));
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, text);
  writeFileSync(manifest, `${JSON.stringify(Object.fromEntries(packed), null, 2)}\n`);
  writeFileSync(ofExamples, '{ "private": true, "type": "module" }\n');
}
