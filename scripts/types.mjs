// Writes dist/types/ (or a folder that is named), the declarations of the library: what its faces need, and nothing else.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cutDown } from './declarations.mjs';
import { optionsOfFlags } from './error-codes.mjs';
import { declarations } from './go-template.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const ofGoTemplate = Object.values(declarations);
const allFaces = ['index.d.ts', 'testing.d.ts', 'engine.d.ts', ...ofGoTemplate];

/** Gives what each face exports, by name (declarations.mjs). */
export function writeTypes(folder, names = allFaces) {
  rmSync(folder, { recursive: true, force: true });
  const words = ['-p', join(root, 'tsconfig.types.json'), '--outDir', folder];
  execFileSync(join(root, 'node_modules/.bin/tsc'), words, { stdio: 'inherit' });
  const faces = cutDown(folder, names);
  forEditors(folder);
  // What stands in dist/ above them is CommonJS, and says so in a package.json.
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n');
  return faces;
}

/** Comments speak of options where the command line has flags: an editor shows them to programs. Those of `sdk/` do so by themselves. */
function forEditors(folder) {
  const options = optionsOfFlags;
  const inOptions = (comment) =>
    comment.replace(/(?<![\w-])--([a-z]+(?:-[a-z]+)*)(?:=(\w+))?/g, (whole, flag, value) => {
      if (options[flag] === undefined) return whole;
      return value === undefined ? options[flag] : `${options[flag]}: '${value}'`;
    });
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts') || /^sdk[/\\]/.test(name)) continue;
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/\/\*\*[\s\S]*?\*\//g, inOptions));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeTypes(process.argv[2] ?? join(root, 'dist/types'));
  if (process.argv[2] === undefined) writeTypes(join(root, 'dist/go-template/types'), ofGoTemplate);
}
