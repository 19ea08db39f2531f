// `import text from './values.yaml?raw'`: the text of that file, as part of what is built.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

/** For esbuild; vitest knows these imports by itself. */
export const rawTexts = {
  name: 'raw-texts',
  setup({ onResolve, onLoad }) {
    const namespace = 'raw-text';
    onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({ path: resolve(resolveDir, path), namespace }));
    const load = async ({ path }) => ({ contents: await readFile(path.replace(/\?raw$/, '')), loader: 'text' });
    onLoad({ filter: /^/, namespace }, load);
  },
};
