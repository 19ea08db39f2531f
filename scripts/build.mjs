// Builds dist/: the command line as one CommonJS file with V8 code caches, and the library as one module.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { browserScripts } from './browser-script.mjs';
import { lazyPackages } from './lazy-packages.mjs';
import { noticesText, packagesIn } from './notices.mjs';
import { rawTexts } from './raw-texts.mjs';
import { buildTwoFiles } from './two-files.mjs';

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
  plugins: [browserScripts, rawTexts],
};

const asFilesOfTheirOwn = (folder) => ({
  name: 'lazy-packages',
  setup({ onResolve }) {
    const filter = new RegExp(`^(${lazyPackages.join('|')})$`);
    onResolve({ filter }, ({ path }) => ({ path: `${folder}/lazy-${path}.js`, external: true }));
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
  await writeLauncher();
  warmUp();
  rmSync(finished, { recursive: true, force: true });
  renameSync(dist, finished);
} finally {
  rmSync(dist, { recursive: true, force: true });
}

/**
 * Node 20 caches compiled code only for scripts, so the command line is CommonJS. Within a file esbuild makes an import()
 * a call that runs the module's code for the first time, and what modules export are plain variables, not getters.
 */
async function buildCommandLine() {
  const files = await buildTwoFiles({
    ...common,
    format: 'cjs',
    minify: true,
    outdir: dist,
    external: ['openpgp'],
    // The launcher runs the file as a script of V8's, which has require() but no import().
    supported: { 'dynamic-import': false },
    plugins: [asFilesOfTheirOwn('.'), ...common.plugins],
  });
  const lazy = await Promise.all(lazyPackages.map(buildLazyPackage));
  writeFileSync(join(dist, 'package.json'), '{"type":"commonjs"}\n');
  return [...files, ...lazy].map(({ metafile }) => metafile);
}

async function buildLazyPackage(name) {
  return build({ ...common, entryPoints: { [`lazy-${name}`]: name }, format: 'cjs', minify: true, outdir: dist });
}

/** Three faces that share their code, in `library/`; what a program may not need is loaded when it does. */
async function buildLibrary() {
  const faces = { index: 'src/index.ts', testing: 'src/testing.ts', engine: 'src/engine.ts' };
  const options = {
    entryPoints: faces,
    outdir: dist,
    outExtension: { '.js': '.mjs' },
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

/** The launcher knows what it launches, and what to run for the code caches of another Node. */
async function writeLauncher() {
  const hash = createHash('sha256');
  for (const file of ['main.js', 'rest.js']) hash.update(readFileSync(join(dist, file)));
  const digest = hash.digest('hex').slice(0, 16);
  const define = { TSHELM_BUILD: JSON.stringify(digest) };
  const options = { entryPoints: { launch: 'scripts/launch.cjs' }, format: 'cjs', define, outdir: dist };
  await build({ ...common, ...options });
  cpSync(join(root, 'fixtures/charts/shop'), join(dist, 'warm-up/shop'), { recursive: true });
  cpSync(join(root, 'scripts/warm-up.json'), join(dist, 'warm-up/commands.json'));
}

/** Runs typical commands (warm-up/), so that the code caches of this Node hold the functions that those need. */
function warmUp() {
  const folder = join(dist, 'code', `${process.version}-${process.arch}`);
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, TSHELM_WRITE_CODE_CACHE: folder };
  const run = () => spawnSync(process.execPath, [join(dist, 'launch.js')], { env, encoding: 'utf8' });
  // A run that a signal ends says nothing of the command line: the machine may be out of memory for a moment.
  let { status, signal, stderr } = run();
  for (let retries = 2; signal !== null && retries > 0; retries--) ({ status, signal, stderr } = run());
  if (status !== 0)
    throw new Error(`the built command line does not run (${signal ?? `exit code ${status}`}):\n${stderr}`);
}
