// `import text from './graph.script'`: the module `./graph/main.ts` and what it imports as one script for a browser, as
// text. Pages that tshelm writes carry it; esbuild (build.mjs) and vitest (vitest.config.ts) learn here what it means.
import { dirname, resolve } from 'node:path';
import { build } from 'esbuild';

const filter = /\.script$/;

/** The text of one script; it leaves no name behind. */
async function scriptText(path) {
  const entryPoint = path.replace(filter, '/main.ts');
  const options = { bundle: true, format: 'iife', platform: 'browser', target: 'es2022', minify: true, write: false };
  const { outputFiles } = await build({ ...options, entryPoints: [entryPoint], legalComments: 'none' });
  const text = outputFiles[0].text.trim();
  if (/<\/script|<!--/i.test(text))
    throw new Error(`${entryPoint}: its text would end the script element that carries it`);
  return text;
}

/** For esbuild. */
export const browserScripts = {
  name: 'browser-scripts',
  setup({ onResolve, onLoad }) {
    const namespace = 'browser-script';
    onResolve({ filter }, ({ path, resolveDir }) => ({ path: resolve(resolveDir, path), namespace }));
    onLoad({ filter, namespace }, async ({ path }) => ({ contents: await scriptText(path), loader: 'text' }));
  },
};

/** For vitest. */
export const browserScriptsOfTests = {
  name: browserScripts.name,
  enforce: 'pre',
  resolveId: (path, importer) => (filter.test(path) ? `\0${resolve(dirname(importer), path)}` : undefined),
  load: async (id) =>
    id.startsWith('\0') && filter.test(id)
      ? `export default ${JSON.stringify(await scriptText(id.slice(1)))}`
      : undefined,
};
