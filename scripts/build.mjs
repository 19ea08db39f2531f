// Builds dist/: the command line as some CommonJS files, the library as one module, and the package go-template.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { browserScripts } from './browser-script.mjs';
import { buildGoTemplate } from './go-template.mjs';
import { lazyDoors, lazyEntries, lazyFileOf, lazyPackages, replacedPackages } from './lazy-packages.mjs';
import { manual } from './manual.mjs';
import { noticesText, packagesIn } from './notices.mjs';
import { buildParts, parts } from './parts.mjs';
import { rawTexts } from './raw-texts.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The commit that is built; empty outside a checkout, and where what is built is not what was committed. */
function commit() {
  const git = (...words) => spawnSync('git', ['-C', root, ...words], { encoding: 'utf8' }).stdout?.trim() ?? '';
  return git('status', '--porcelain', '--', 'src', 'package.json') === '' ? git('rev-parse', 'HEAD') : '';
}

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  define: { TSHELM_VERSION: JSON.stringify(version), TSHELM_COMMIT: JSON.stringify(commit()) },
  // Their notices are in THIRD-PARTY-NOTICES.
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  plugins: [browserScripts, manual, rawTexts],
};

const asFilesOfTheirOwn = (folder) => ({
  name: 'lazy-packages',
  setup({ onResolve }) {
    const filter = new RegExp(`^(${lazyPackages.join('|')})$`);
    onResolve({ filter }, ({ path }) => ({ path: lazyFileOf(path, folder), external: true }));
    onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir, kind }) => {
      const name = relative(root, join(resolveDir, path));
      if (kind === 'entry-point' || !(name in lazyDoors)) return undefined;
      return { path: lazyFileOf(name, folder), external: true };
    });
  },
});

// Some of the packages in the library are CommonJS, and ask for Node's modules by require().
const requireBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

// Made beside the old one and then put in its place, so that a command that runs meanwhile finds a whole one.
const finished = join(root, 'dist');
const dist = join(root, `dist.${process.pid}`);
mkdirSync(dist);
try {
  const metafiles = [...(await buildCommandLine()), await buildLibrary()];
  writeFileSync(join(dist, 'THIRD-PARTY-NOTICES'), noticesText(root, packagesIn(metafiles)));
  await buildGoTemplate(common, join(dist, 'go-template'));
  checkCommandLine();
  // Made by other scripts, of the same sources.
  for (const name of ['types', 'man', 'go-template/types'].filter((name) => existsSync(join(finished, name))))
    renameSync(join(finished, name), join(dist, name));
  rmSync(finished, { recursive: true, force: true });
  renameSync(dist, finished);
} finally {
  rmSync(dist, { recursive: true, force: true });
}

/**
 * CommonJS: within a file esbuild makes an import() a call that runs the module's code for the first time, and what
 * modules export are plain variables, not getters.
 */
async function buildCommandLine() {
  const files = await buildParts({
    ...common,
    format: 'cjs',
    minify: true,
    outdir: dist,
    external: ['openpgp'],
    // So that all goes through the require() of the banner.
    supported: { 'dynamic-import': false },
    banner: { js: "require=require('./requires.js')(require);" },
    plugins: [asFilesOfTheirOwn('.'), ...common.plugins],
  });
  const lazy = await Promise.all(lazyEntries.map(buildLazyPackage));
  writeFileSync(join(dist, 'package.json'), '{"type":"commonjs"}\n');
  for (const name of ['launch', 'thread', 'cache-folder', 'requires'])
    cpSync(join(root, `scripts/${name}.cjs`), join(dist, `${name}.js`));
  return [...files, ...lazy].map(({ metafile }) => metafile);
}

async function buildLazyPackage(name) {
  const outfile = lazyFileOf(name, dist);
  return build({ ...common, entryPoints: [name], alias: replacedPackages, format: 'cjs', minify: true, outfile });
}

/** Three faces that share their code, in `library/`; what a program may not need is loaded when it does. */
async function buildLibrary() {
  const faces = { index: 'src/index.ts', testing: 'src/testing.ts', engine: 'src/engine.ts' };
  const options = {
    entryPoints: faces,
    outdir: dist,
    outExtension: { '.js': '.mjs' },
    // Names stay, so that stacks can be read; Node prints the whole line where an error is not caught.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    splitting: true,
    chunkNames: 'library/[name]-[hash]',
    external: ['openpgp'],
    banner: { js: requireBanner },
    // What imports them is shared by the faces, so it is in `library/`.
    plugins: [asFilesOfTheirOwn('..'), ...common.plugins],
  };
  const { metafile } = await build({ ...common, ...options });
  checkLazyImports(metafile);
  return metafile;
}

function checkLazyImports({ outputs }) {
  for (const [file, { imports }] of Object.entries(outputs)) {
    const lazy = imports.find(({ path }) => path.startsWith('../lazy-'));
    if (lazy !== undefined && !file.includes('/library/')) throw new Error(`${file} cannot find ${lazy.path}`);
  }
}

/** It runs, and what is started most often loads no more than it needs (parts.mjs). */
function checkCommandLine() {
  const chart = join(root, 'fixtures/charts/shop');
  const loads = [
    [['version'], ['main']],
    [['template', 'shop', chart], ['main']],
    [
      ['unittest', chart],
      ['main', 'unittest'],
    ],
    [['env'], ['main', 'rest']],
    [
      ['check', chart],
      ['main', 'sandbox', 'check', 'rest'],
    ],
  ];
  for (const [words, wanted] of loads) {
    const script = `require('./main.js').main(${JSON.stringify(words)}).then((code) => {
      const loaded = ${JSON.stringify(parts)}.filter((part) => require.resolve('./' + part + '.js') in require.cache);
      if (String(loaded) !== '${wanted}') throw new Error('it loaded ' + loaded);
      process.exit(code);
    })`;
    const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: dist, encoding: 'utf8' });
    if (status !== 0) throw new Error(`tshelm ${words.join(' ')} does not run as built: ${stderr}`);
  }
  const script = `const workerData = { charts: [], options: {}, units: [], next: new Int32Array(1) };
    new (require('node:worker_threads').Worker)('./thread.js', { workerData });`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: dist, encoding: 'utf8' });
  if (status !== 0) throw new Error(`a thread does not run as built: ${stderr}`);
}
