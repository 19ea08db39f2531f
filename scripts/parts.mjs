import { relative } from 'node:path';
import { build } from 'esbuild';

/**
 * What `template` and `version` load by import(), and what `unittest` shares with other commands. With what these import
 * it is main.js. The build fails if one of these commands loads more than that, and `unittest` its own file.
 */
const loadedAtStart = [
  'src/actions/name-and-chart.ts',
  'src/actions/template.ts',
  'src/chart/schema/validate.ts',
  'src/cli/commands/template.ts',
  'src/cli/commands/version.ts',
  'src/cli/sources/load-request.ts',
  'src/cli/terminal/colors.ts',
  'src/cli/open-cluster.ts',
  'src/cluster/kubeconfig.ts',
  'src/problem/level.ts',
  'src/render/handlebars.ts',
  'src/render/reused-keys.ts',
  'src/render/yaml-values.ts',
  'src/support/lines.ts',
];

const below = (...paths) => new RegExp(`^src/(${paths.join('|')})`);

/**
 * The parts that have a file of their own, by what is loaded by import(): modules that nothing else needs. All others,
 * outside of main.js, are in rest.js.
 */
const loadedApart = {
  sandbox: /^src\/sandbox\//,
  manual: /^src\/cli\/manual\//,
  stack: /^src\/((cli|sdk)\/)?stack\/|^src\/cli\/commands\/stack\.ts/,
  unittest: /^src\/(cli\/(commands|output)\/)?unittest[/.]/,
  editor: /^src\/((cli\/commands\/)?(lsp|mcp)[/.])/,
  migrate: /^src\/cli\/(commands\/)?migrate[/.]/,
  source: /^src\/source\//,
  check:
    /^src\/(cel|actions\/(check|lint|rehears|compare-orders))|^src\/cli\/commands\/(check|dag|lint|order|rehearse)\.ts/,
  help: /^src\/cli\/(completion|help)\//,
  seldom: below(
    'cli/commands/(adopt|config|create|diff-values|docs|doctor|drift|explain|health|images|logs|manifest-diff|move)\\.',
    'cli/commands/(options|package|plugin|pull|push|registry|rename|repo|sandbox|search|secrets|test|verify)\\.',
    'actions/(adopt|diff-values|doctor|drift|fix-drift|health|logs|manifest-diff|move|outside|package|pin-images)\\b',
    'actions/(rename|test-logs|test-release)\\b',
    '(cli/)?(defaults|plugins?|saved-plan)/',
    '(lsp|mcp|migrate|secrets|show|sops|stack|unittest)/',
  ),
  change: below(
    'cli/commands/(?!(check|dependency|env|get|history|lint|list|show|status|template|version)\\.)',
    'actions/(?!(check|find-release|get|history|lint|list|status)\\b)',
    '(cli/)?(plugins?|progress|saved-plan|stack)/',
    '(change|execute|lsp|mcp|migrate|secrets|show|sops|unittest)/',
  ),
};

export const parts = ['main', ...Object.keys(loadedApart), 'rest'];

/**
 * Bundles a command line as files that share their modules: no module is in two. A module of another file is
 * `require('./FILE#NUMBER')`, which is `modules[NUMBER]()` of that file.
 */
export async function buildParts({ plugins, outdir, ...options }) {
  const { absWorkingDir: root } = options;
  const main = "export { main, unittestThread } from './src/cli/main.ts';";
  const bundle = (part, contents, placeOf) =>
    build({
      ...options,
      stdin: { contents, resolveDir: root, loader: 'ts' },
      outfile: `${outdir}/${part}.js`,
      plugins: [...plugins, apart(root, placeOf)],
    });
  const { metafile } = await bundle('main', main, () => undefined);
  const { partOf, asked } = divided(metafile.inputs);
  const numberOf = new Map([...partOf.keys()].map((path, number) => [path, number]));
  return Promise.all(
    parts.map((part) => {
      const wanted = asked.get(part) ?? [];
      const rows = wanted.map((path) => `${numberOf.get(path)}: () => require('./${path}'),\n`);
      const contents = `${part === 'main' ? main : ''}\nexport const modules = {\n${rows.join('')}};\n`;
      return bundle(part, contents, (path) => {
        const other = partOf.get(path);
        return other === undefined || other === part ? undefined : `./${other}.js#${numberOf.get(path)}`;
      });
    }),
  );
}

const sorted = (paths) => paths.toSorted((a, b) => (a < b ? -1 : 1));

/**
 * The part of each module, and the modules that the others ask each part for. In order, so that a build has the same
 * bytes every time.
 */
function divided(inputs) {
  const paths = sorted(Object.keys(inputs));
  const importsOf = (path, isTaken) =>
    inputs[path].imports.filter((one) => one.path in inputs && isTaken(one)).map((one) => one.path);
  const reached = (starts, isTaken) => {
    const found = new Set(starts);
    for (const path of found) for (const other of importsOf(path, isTaken)) found.add(other);
    return found;
  };
  const atStart = reached(['<stdin>', ...loadedAtStart], ({ kind }) => kind !== 'dynamic-import');
  const partOf = new Map(paths.filter((path) => atStart.has(path)).map((path) => [path, 'main']));
  const late = new Set(paths.flatMap((path) => importsOf(path, ({ kind }) => kind === 'dynamic-import')));
  for (const [part, pattern] of Object.entries(loadedApart)) {
    const elsewhere = reached(['<stdin>'], ({ path }) => !(late.has(path) && pattern.test(path)));
    for (const path of paths) if (!elsewhere.has(path) && !partOf.has(path)) partOf.set(path, part);
  }
  for (const path of paths) if (!partOf.has(path)) partOf.set(path, 'rest');
  const asked = new Map();
  for (const path of paths) {
    const here = partOf.get(path);
    for (const other of importsOf(path, () => true)) {
      const part = partOf.get(other);
      // The texts of plugins are in each file that imports them: `raw-text:PATH`.
      if (part !== here && !other.includes(':')) asked.set(part, (asked.get(part) ?? new Set()).add(other));
    }
  }
  return { partOf, asked: new Map([...asked].map(([part, found]) => [part, sorted([...found])])) };
}

/** Leaves modules to the other files: those of which `placeOf`, given the path below the root, says where they are. */
function apart(root, placeOf) {
  const seen = Symbol('resolved by this plugin');
  return {
    name: 'apart',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (pluginData === seen || kind === 'entry-point') return undefined;
        const resolved = await resolve(path, { kind, importer, resolveDir, pluginData: seen });
        if (resolved.external || kind === 'require-call') return resolved;
        const place = placeOf(relative(root, resolved.path).replaceAll('\\', '/'));
        return place === undefined ? resolved : { path: place, external: true };
      });
    },
  };
}
