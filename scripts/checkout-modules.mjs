// Modules of this checkout for the scripts that measure them.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');

/** Loads what the exports give: lines such as `export { loadChart } from './src/chart/load.ts';`. */
export async function checkoutModules(exports) {
  const folder = mkdtempSync(join(root, 'node_modules/.checkout-modules-'));
  const outfile = join(folder, 'modules.mjs');
  await build({
    stdin: { contents: exports.join('\n'), resolveDir: root, loader: 'ts' },
    outfile,
    loader: { '.txt': 'text' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  const loaded = await import(pathToFileURL(outfile));
  rmSync(folder, { recursive: true });
  return loaded;
}
