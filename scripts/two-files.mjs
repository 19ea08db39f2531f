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
  'src/cli/load-request.ts',
  'src/cli/open-cluster.ts',
  'src/cluster/kubeconfig.ts',
  'src/render/handlebars.ts',
];

/**
 * Bundles a command line as two files, `main.js` and `rest.js`, that share their modules: no module is in both. A module
 * of the other file is `require('./FILE#MODULE')`, which is `modules[MODULE]()` of that file.
 */
export async function buildTwoFiles({ plugins, outdir, ...options }) {
  const bundle = (file, contents, apart) =>
    build({
      ...options,
      stdin: { contents, resolveDir: options.absWorkingDir, loader: 'ts' },
      outfile: `${outdir}/${file}.js`,
      plugins: [...plugins, apart],
    });
  const { absWorkingDir: root } = options;
  const main = "export { main } from './src/cli/main.ts';";
  const late = new Set();
  const isLate = (path, kind) =>
    kind === 'dynamic-import' && path.startsWith('src/') && !loadedByTemplate.includes(path);
  const draft = await bundle(
    'main',
    main,
    apart(root, 'rest', (path, kind) => isLate(path, kind) && late.add(path)),
  );
  const first = new Set(Object.keys(draft.metafile.inputs));
  const later = [...late].filter((path) => !first.has(path));
  const shared = new Set();
  const rest = await bundle(
    'rest',
    modules(later),
    apart(root, 'main', (path) => first.has(path) && shared.add(path)),
  );
  // Once more, now that it is known what the two ask each other for.
  return [
    await bundle(
      'main',
      `${main}\n${modules(shared)}`,
      apart(root, 'rest', (path) => later.includes(path)),
    ),
    rest,
  ];
}

/** What the other file asks for, by its path; in order, so that a build has the same bytes every time. */
function modules(paths) {
  const sorted = [...paths].sort((a, b) => (a < b ? -1 : 1));
  const rows = sorted.map((path) => `'${path}': () => require('./${path}'),\n`);
  return `export const modules = {\n${rows.join('')}};\n`;
}

/** Leaves modules to the other file. `isApart` gets a module's path below the root, and how it is imported. */
function apart(root, file, isApart) {
  const seen = Symbol('resolved by this plugin');
  return {
    name: 'apart',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (pluginData === seen || kind === 'entry-point') return undefined;
        const resolved = await resolve(path, { kind, importer, resolveDir, pluginData: seen });
        const module = relative(root, resolved.path).replaceAll('\\', '/');
        if (resolved.external || kind === 'require-call' || !isApart(module, kind)) return resolved;
        return { path: `./${file}.js#${module}`, external: true };
      });
    },
  };
}
