'use strict';
// Starts the bundled command line. Its files are compiled through vm.Script, whose code caches (written by the build)
// save most of the time that a small command would take. A cache of another Node version is ignored by V8.
const { readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const nodeRequire = createRequire(__filename);
const loaded = new Map();
const toWarmUp = process.env.TSHELM_WRITE_CODE_CACHE;

function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.module.exports;
  const filename = join(__dirname, name);
  // esbuild writes ASCII only; read as such, the text takes no decoding and half the memory.
  const source = readFileSync(filename, 'latin1');
  const wrapper = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
  const script = new Script(wrapper, { filename, cachedData: toWarmUp ? undefined : readCache(filename) });
  const module = { exports: {} };
  loaded.set(name, { module, script, filename });
  script.runInThisContext()(module.exports, requirePart, module, filename, __dirname);
  return module.exports;
}

function requirePart(name) {
  if (name.startsWith('./lazy-')) return onFirstUse(() => load(name.slice(2)));
  return slowBuiltins.has(name) ? onFirstUse(() => nodeRequire(name)) : nodeRequire(name);
}
requirePart.resolve = nodeRequire.resolve;

// Each of these takes milliseconds to load, and most commands use none of them.
const slowBuiltins = new Set(
  [
    'child_process',
    'crypto',
    'fs/promises',
    'http',
    'https',
    'net',
    'readline',
    'stream',
    'tls',
    'v8',
    'worker_threads',
    'zlib',
  ].map((name) => `node:${name}`),
);

const onFirstUse = (open) => new Proxy({}, { get: (_module, property) => open()[property] });

/** The cache of the command that is named first, where there is one: a smaller cache is read faster. */
function readCache(filename) {
  const command = process.argv.slice(2).find((word) => !word.startsWith('-'));
  const own = command === 'template' || command === 'version' ? command : 'every';
  return readIfThere(`${filename}.${own}.cache`) ?? readIfThere(`${filename}.every.cache`);
}

function readIfThere(filename) {
  try {
    return readFileSync(filename);
  } catch {
    return undefined;
  }
}

async function writeCaches({ cache, lines }) {
  const { main } = load('main.js');
  const quiet = { write: () => {}, isTerminal: false, columns: undefined, rows: undefined };
  const io = {
    env: {},
    cwd: process.cwd(),
    stdout: quiet,
    stderr: quiet,
    readStdin: async () => Buffer.alloc(0),
    now: () => new Date(),
  };
  for (const words of lines) await main(words, io);
  for (const { script, filename } of loaded.values()) {
    writeFileSync(`${filename}.${cache}.cache`, script.createCachedData());
  }
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
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => child.on('error', reject).on('exit', (code) => resolve(code ?? 1)));
}

if (toWarmUp) {
  writeCaches(JSON.parse(toWarmUp)).then(
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
    .then((code) => process.exit(code));
}
