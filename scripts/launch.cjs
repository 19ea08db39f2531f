'use strict';
// Starts the bundled command line. Its files are compiled through vm.Script, whose code cache (written by the build)
// saves most of the time that a small command would take. A cache of another Node version is ignored by V8.
const { readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const nodeRequire = createRequire(__filename);
const loaded = new Map();

function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.module.exports;
  const filename = join(__dirname, name);
  const source = readFileSync(filename, 'utf8');
  const wrapper = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
  const script = new Script(wrapper, { filename, cachedData: readCache(filename) });
  const module = { exports: {} };
  loaded.set(name, { module, script, filename });
  script.runInThisContext()(module.exports, requirePart, module, filename, __dirname);
  return module.exports;
}

function requirePart(name) {
  if (name.startsWith('./lazy-')) return onFirstUse(() => load(name.slice(2)));
  if (name.startsWith('./')) return load(name.slice(2));
  return slowBuiltins.has(name) ? onFirstUse(() => nodeRequire(name)) : nodeRequire(name);
}
requirePart.resolve = nodeRequire.resolve;

// Each of these takes milliseconds to load, and most commands use none of them.
const slowBuiltins = new Set(
  ['child_process', 'crypto', 'http', 'https', 'net', 'readline', 'tls', 'zlib', 'worker_threads'].map(
    (name) => `node:${name}`,
  ),
);

// Whoever asks what is in the module (`await import()` does) is using it.
const onFirstUse = (open) =>
  new Proxy(
    {},
    {
      get: (_module, property) => open()[property],
      ownKeys: () => Reflect.ownKeys(open()),
      getOwnPropertyDescriptor: (_module, property) => ({
        ...Reflect.getOwnPropertyDescriptor(open(), property),
        configurable: true,
      }),
    },
  );

function readCache(filename) {
  try {
    return readFileSync(`${filename}.cache`);
  } catch {
    return undefined;
  }
}

async function writeCaches(warmUpFile) {
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
  for (const words of JSON.parse(readFileSync(warmUpFile, 'utf8'))) await main(words, io);
  for (const { script, filename } of loaded.values()) writeFileSync(`${filename}.cache`, script.createCachedData());
}

const warmUpFile = process.env.TSHELM_WRITE_CODE_CACHE;
if (warmUpFile) {
  writeCaches(warmUpFile).then(
    () => process.exit(0),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
} else {
  load('main.js')
    .main(process.argv.slice(2))
    .then((code) => {
      process.exitCode = code;
    });
}
