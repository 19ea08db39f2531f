// Builds dist/: the command line as one CommonJS file with V8 code caches, and the library as one module.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // client-node's generated API clients pull in undici, which needs a newer Node; tshelm uses its KubeConfig only.
  alias: { undici: './scripts/no-undici.mjs' },
  define: { TSHELM_VERSION: JSON.stringify(version) },
  legalComments: 'none',
  logLevel: 'warning',
};

// Packages that most commands never call: each is a file of its own, which launch.cjs loads at the first use. They must
// be imported by name (`import { x } from 'y'`), and not be used while a module loads.
const lazyPackages = ['bcryptjs', 'handlebars', 're2js', 'smol-toml'];

const asFilesOfTheirOwn = {
  name: 'lazy-packages',
  setup({ onResolve }) {
    const filter = new RegExp(`^(${lazyPackages.join('|')})$`);
    onResolve({ filter }, ({ path }) => ({ path: `./lazy-${path}.js`, external: true }));
  },
};

// Made beside the old one and then put in its place, so that a command that runs meanwhile finds a whole one.
const finished = join(root, 'dist');
const dist = join(root, `dist.${process.pid}`);
mkdirSync(dist);
try {
  await buildCommandLine();
  await buildLibrary();
  warmUp();
  rmSync(finished, { recursive: true, force: true });
  renameSync(dist, finished);
} finally {
  rmSync(dist, { recursive: true, force: true });
}

/**
 * Node 20 caches compiled code only for scripts, so the command line is CommonJS. It is one file: esbuild then makes an
 * import() a call that runs the module's code for the first time, and what modules export are plain variables, not getters.
 */
async function buildCommandLine() {
  await build({
    ...common,
    entryPoints: { main: 'src/cli/main.ts' },
    format: 'cjs',
    minifySyntax: true,
    minifyWhitespace: true,
    outdir: dist,
    external: ['openpgp'],
    plugins: [asFilesOfTheirOwn],
  });
  await Promise.all(lazyPackages.map(buildLazyPackage));
  writeFileSync(join(dist, 'package.json'), '{"type":"commonjs"}\n');
  writeFileSync(join(dist, 'launch.js'), readFileSync(join(root, 'scripts/launch.cjs')));
}

async function buildLazyPackage(name) {
  await build({ ...common, entryPoints: { [`lazy-${name}`]: name }, format: 'cjs', minify: true, outdir: dist });
}

async function buildLibrary() {
  await build({ ...common, entryPoints: { index: 'src/index.ts' }, outdir: dist, outExtension: { '.js': '.mjs' } });
}

/**
 * Runs typical commands, so that the code caches hold the functions that those need. `template` has a cache of its own,
 * because reading what other commands need would take it several milliseconds.
 */
function warmUp() {
  const commandLines = JSON.parse(readFileSync(join(root, 'scripts/warm-up.json'), 'utf8'));
  for (const [cache, lines] of Object.entries(commandLines)) {
    // A run that a signal ends says nothing of the command line: the machine may be out of memory for a moment.
    let { status, signal, stderr } = writeCache(cache, lines);
    for (let retries = 2; signal !== null && retries > 0; retries--)
      ({ status, signal, stderr } = writeCache(cache, lines));
    if (status !== 0)
      throw new Error(`the built command line does not run (${signal ?? `exit code ${status}`}):\n${stderr}`);
  }
}

function writeCache(cache, lines) {
  const result = spawnSync(process.execPath, [join(dist, 'launch.js')], {
    env: {
      ...process.env,
      TSHELM_WRITE_CODE_CACHE: JSON.stringify({ cache, lines }),
      TSHELM_SANDBOX: join(dist, '.warm-up'),
    },
    cwd: root,
    encoding: 'utf8',
  });
  rmSync(join(dist, '.warm-up'), { recursive: true, force: true });
  return result;
}
