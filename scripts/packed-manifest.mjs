// package.json as it goes into the package, without what only this repository needs: `npm pack` and `npm publish` call this
// before they pack, and afterwards with `--back`.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = join(root, 'package.json');
const kept = join(root, 'node_modules/.cache/tshelm/package.json');
const ofTheRepository = ['scripts', 'devDependencies', 'overrides', 'browser'];

if (process.argv.includes('--back')) renameSync(kept, manifest);
else {
  const text = readFileSync(manifest, 'utf8');
  const packed = Object.entries(JSON.parse(text)).filter(([key]) => !ofTheRepository.includes(key));
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, text);
  writeFileSync(manifest, `${JSON.stringify(Object.fromEntries(packed), null, 2)}\n`);
}
