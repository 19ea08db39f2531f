'use strict';
// Starts the bundled command line. Its files are compiled through vm.Script, whose code caches save most of the time
// that a small command would take. The build writes caches for its own Node; for another, the first run writes them.
// V8 refuses a cache of another version of it.
const { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { constants } = require('node:os');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');
const { onFirstUse, slowBuiltins } = require('./on-first-use.cjs');
const { isPrivateFolder, readPrivateFile } = require('./private-files.cjs');

/** The digest of what was built. V8 tells one text from another by its length alone. */
const build = TSHELM_BUILD;

const nodeRequire = createRequire(__filename);
const loaded = new Map();
const toWarmUp = process.env.TSHELM_WRITE_CODE_CACHE;

/** Where the first run of a Node keeps its caches: in the user's cache folder, never beside the installed files. */
const ownCaches = toWarmUp ? undefined : ownCacheFolder(process.env);

/** The build's own. Named after its Node: V8 takes the cache of another patch of it, and crashes. */
const builtCaches = join(__dirname, 'code', `${process.version}-${process.arch}`);

function ownCacheFolder({ TSHELM_CODE_CACHE, XDG_CACHE_HOME, LOCALAPPDATA, HOME }) {
  const caches =
    XDG_CACHE_HOME || LOCALAPPDATA || (HOME && join(HOME, process.platform === 'darwin' ? 'Library/Caches' : '.cache'));
  if (TSHELM_CODE_CACHE === 'off' || !caches) return undefined;
  return join(caches, 'tshelm', 'code', `${build}-${process.version}-${process.arch}`);
}

let isCold = false;

function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.module.exports;
  const filename = join(__dirname, name);
  // esbuild writes ASCII only; read as such, the text takes no decoding and half the memory.
  const source = readFileSync(filename, 'latin1');
  const wrapper = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
  const script = compiled(name, wrapper);
  const module = { exports: {} };
  loaded.set(name, { module, script });
  script.runInThisContext()(module.exports, requirePart, module, filename, __dirname);
  return module.exports;
}

/** The script, with the first of its caches that V8 takes. */
function compiled(name, wrapper) {
  const filename = join(__dirname, name);
  if (toWarmUp) return new Script(wrapper, { filename });
  for (const [folder, read] of [
    [builtCaches, readIfThere],
    [ownCaches, readPrivateFile],
  ]) {
    if (!folder || (folder === ownCaches && !isPrivateFolder(folder))) continue;
    const cachedData = cacheIn(folder, name, read);
    if (!cachedData) continue;
    const script = new Script(wrapper, { filename, cachedData });
    if (!script.cachedDataRejected) return script;
  }
  isCold ||= name === 'main.js';
  return new Script(wrapper, { filename });
}

function requirePart(name) {
  const [file, part] = name.split('#');
  if (part !== undefined) return load(file.slice(2)).modules[part]();
  if (name.startsWith('./lazy-')) return onFirstUse(() => load(name.slice(2)));
  return slowBuiltins.has(name) ? onFirstUse(() => nodeRequire(name)) : nodeRequire(name);
}
requirePart.resolve = nodeRequire.resolve;

/** Whose caches hold no more than they need. `every` is for the others. */
const commandsWithCaches = ['version', 'template', '__complete'];

/** The cache of the command that is named first, where there is one: a smaller cache is read faster. */
function cacheIn(folder, name, read) {
  const command = process.argv.slice(2).find((word) => !word.startsWith('-'));
  const own = commandsWithCaches.includes(command) ? command : 'every';
  const file = join(folder, name);
  return read(`${file}.${own}.cache`) ?? read(`${file}.every.cache`);
}

function readIfThere(filename) {
  try {
    return readFileSync(filename);
  } catch {
    return undefined;
  }
}

/**
 * Runs typical commands in silence and keeps what was compiled for them, each cache with what was compiled until then:
 * reading what other commands need would take `version`, `template` and completion several milliseconds.
 */
async function writeCaches(folder) {
  const { main } = load('main.js');
  const commandLines = JSON.parse(readFileSync(join(__dirname, 'warm-up/commands.json'), 'utf8'));
  const sandbox = join(folder, `.warm-up-${process.pid}`);
  let messages = '';
  process.chdir(join(__dirname, 'warm-up'));
  const quiet = { write: () => {}, isTerminal: false, columns: undefined, rows: undefined };
  const io = {
    env: { TSHELM_SANDBOX: sandbox },
    program: 'tshelm',
    cwd: process.cwd(),
    stdout: quiet,
    stderr: { ...quiet, write: (text) => (messages += text) },
    readStdin: async () => Buffer.alloc(0),
    now: () => new Date(),
  };
  for (const [cache, lines] of Object.entries(commandLines)) {
    for (const words of lines) {
      if ((await main(words, io)) !== 0) throw new Error(`warm-up: tshelm ${words.join(' ')}: ${messages}`);
    }
    if (['version', 'template'].includes(cache) && loaded.has('rest.js'))
      throw new Error(`warm-up: ${cache} loads rest.js; see two-files.mjs`);
    for (const [name, { script }] of loaded)
      writeWhole(join(folder, `${name}.${cache}.cache`), script.createCachedData());
  }
  rmSync(sandbox, { recursive: true, force: true });
}

function writeWhole(file, data) {
  writeFileSync(`${file}.${process.pid}`, data, { mode: toWarmUp === builtCaches ? 0o666 : 0o600 });
  renameSync(`${file}.${process.pid}`, file);
}

/** After the first run of a Node that no cache fits: one process in the background writes them. */
function warmUpInBackground() {
  try {
    if (!isOursToWrite()) return;
    const env = { ...process.env, TSHELM_WRITE_CODE_CACHE: ownCaches };
    const options = { detached: true, stdio: 'ignore', windowsHide: true, env };
    nodeRequire('node:child_process').spawn(process.execPath, [__filename], options).unref();
  } catch {
    // A folder that cannot be written to: every run compiles anew.
  }
}

/** The folder is the lock: who makes it writes. One left empty by a run that was killed is free after a minute. */
function isOursToWrite() {
  mkdirSync(dirname(ownCaches), { recursive: true, mode: 0o700 });
  try {
    mkdirSync(ownCaches, { mode: 0o700 });
  } catch {
    if (!isPrivateFolder(ownCaches) || Date.now() - statSync(ownCaches).mtimeMs < 60_000) return false;
    utimesSync(ownCaches, new Date(), new Date());
  }
  return true;
}

// Node's default stack holds some 590 nested includes, and Helm admits 1000 of each name. This one fits into the stack
// that Unix gives to a process (8 MiB); Windows gives 1 MiB.
const largeStack = '--stack-size=3900';
const mayRerun = process.platform !== 'win32' && !process.execArgv.includes(largeStack);

function rerun(stdin) {
  const { spawn } = nodeRequire('node:child_process');
  const child = spawn(process.execPath, [largeStack, ...process.execArgv, ...process.argv.slice(1)], {
    stdio: [stdin === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
  });
  child.stdin?.end(stdin);
  process.on('SIGINT', () => {}); // A terminal sends it to both.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) =>
    child.on('error', reject).on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal])),
  );
}

if (toWarmUp) {
  writeCaches(toWarmUp).then(
    () => process.exit(0),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
} else {
  load('main.js')
    .main(process.argv.slice(2), undefined, mayRerun ? rerun : undefined)
    // All is written and closed by now; an exit of its own accord would also take the heap apart, which takes milliseconds.
    .then((code) => {
      if (isCold && ownCaches) warmUpInBackground();
      process.exit(code);
    });
}
