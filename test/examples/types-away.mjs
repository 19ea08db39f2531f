// Lets Node 20 run TypeScript, as later ones do by themselves and as tsx does: `node --import ./types-away.mjs`.
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

register(import.meta.url);

/** A hook of Node's module loader. */
export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context);
  const { code } = await transform(await readFile(fileURLToPath(url), 'utf8'), { loader: 'ts', target: 'node20' });
  return { format: 'module', source: code, shortCircuit: true };
}
