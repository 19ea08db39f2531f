import { relative } from 'node:path';
import { build } from 'esbuild';

/**
 * What `template` and `version` load by import(). With what these import it is the first file; everything else is the
 * rest, which is loaded when one of its modules is asked for. The build fails if `template` or `version` asks for one.
 */
const loadedByTemplate = [
  'src/actions/name-and-chart.ts',
  'src/actions/template.ts',
  'src/chart/schema/validate.ts',
  'src/cli/commands/template.ts',
  'src/cli/commands/version.ts',
  'src/cli/sources/load-request.ts',
  'src/cli/open-cluster.ts',
  'src/cluster/kubeconfig.ts',
  'src/render/handlebars.ts',
];

/**
 * Bundles a command line as two files, `main.js` and `rest.js`, that share their modules: no module is in both. A module
 * of the other file is `require('./FILE#NUMBER')`, which is `modules[NUMBER]()` of that file.
 */
export async function buildTwoFiles({ plugins, outdir, ...options }) {
  const { absWorkingDir: root } = options;
  const bundle = (file, contents, other, isOther) =>
    build({
      ...options,
      stdin: { contents, resolveDir: root, loader: 'ts' },
      outfile: `${outdir}/${file}.js`,
      plugins: [...plugins, apart(root, other, isOther)],
    });
  const main = "export { main } from './src/cli/main.ts';";
  const late = new Set();
  const isLate = (path, kind) =>
    kind === 'dynamic-import' && path.startsWith('src/') && !loadedByTemplate.includes(path) && late.add(path);
  const draft = await bundle('main', main, { name: 'rest', paths: [] }, isLate);
  // In order, so that a build has the same bytes every time.
  const first = { name: 'main', paths: sorted(Object.keys(draft.metafile.inputs)) };
  const last = { name: 'rest', paths: sorted([...late].filter((path) => !first.paths.includes(path))) };
  const shared = new Set();
  const isShared = (path) => first.paths.includes(path) && shared.add(path);
  const rest = await bundle('rest', modules(last, last.paths), first, isShared);
  // Once more, now that it is known what the two ask each other for.
  const contents = `${main}\n${modules(first, sorted([...shared]))}`;
  return [await bundle('main', contents, last, (path) => last.paths.includes(path)), rest];
}

const sorted = (paths) => paths.toSorted((a, b) => (a < b ? -1 : 1));

/** What the other file asks this one for. */
function modules({ paths }, asked) {
  const rows = asked.map((path) => `${paths.indexOf(path)}: () => require('./${path}'),\n`);
  return `export const modules = {\n${rows.join('')}};\n`;
}

/** Leaves modules to the other file. `isOther` gets a module's path below the root, and how it is imported. */
function apart(root, { name, paths }, isOther) {
  const seen = Symbol('resolved by this plugin');
  return {
    name: 'apart',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (pluginData === seen || kind === 'entry-point') return undefined;
        const resolved = await resolve(path, { kind, importer, resolveDir, pluginData: seen });
        const module = relative(root, resolved.path).replaceAll('\\', '/');
        if (resolved.external || kind === 'require-call' || !isOther(module, kind)) return resolved;
        return { path: `./${name}.js#${paths.indexOf(module)}`, external: true };
      });
    },
  };
}
