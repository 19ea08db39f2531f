// `import pages from '../../../docs?manual'`: the pages of a folder as one compressed text, part of what is built.
// `tshelm explain` shows them. esbuild (build.mjs) and vitest (vitest.config.ts) learn here what it means.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const filter = /\?manual$/;
const namespace = 'manual';

/** Pages for those who work on tshelm, or with its library, are read where the library is. */
const leftOut = new Set(['api.md', 'architecture.md', 'proofs.md']);

/** Base64 of the JSON text `{NAME: MARKDOWN}`, compressed by Brotli. */
function packed(path) {
  const folder = path.replace(filter, '');
  const names = readdirSync(folder).filter((name) => name.endsWith('.md') && !leftOut.has(name));
  const pages = names.map((name) => [name.slice(0, -'.md'.length), readFileSync(join(folder, name), 'utf8')]);
  return brotliCompressSync(JSON.stringify(Object.fromEntries(pages))).toString('base64');
}

/** For esbuild. */
export const manual = {
  name: namespace,
  setup({ onResolve, onLoad }) {
    onResolve({ filter }, ({ path, resolveDir }) => ({ path: resolve(resolveDir, path), namespace }));
    onLoad({ filter, namespace }, ({ path }) => ({ contents: packed(path), loader: 'text' }));
  },
};

/** For vitest. */
export const manualOfTests = {
  name: namespace,
  enforce: 'pre',
  resolveId: (path, importer) => (filter.test(path) ? `\0${resolve(dirname(importer), path)}` : undefined),
  load: (id) =>
    id.startsWith('\0') && filter.test(id) ? `export default ${JSON.stringify(packed(id.slice(1)))}` : undefined,
};
