'use strict';
// How the bundled command line requires what is not in its file: `require = require('./requires.js')(require)` stands at
// the beginning of its files (build.mjs).

/** Node's modules of which each takes milliseconds to load, and which most commands do not use. */
const slowBuiltins = new Set(
  [
    'child_process',
    'crypto',
    'fs/promises',
    'http',
    'http2',
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

module.exports = (nodeRequire) => {
  const requirePart = (name) => {
    const [file, part] = name.split('#');
    if (part !== undefined) return nodeRequire(file).modules[part]();
    return name.startsWith('./lazy-') || slowBuiltins.has(name)
      ? onFirstUse(() => nodeRequire(name))
      : nodeRequire(name);
  };
  return Object.assign(requirePart, { resolve: nodeRequire.resolve });
};

/**
 * Takes the place of a module until one of its exports is asked for, or the list of them: a default import of a package
 * that says `__esModule` copies them.
 */
const onFirstUse = (open) =>
  new Proxy(
    {},
    {
      get: (_module, property) => open()[property],
      ownKeys: () => Reflect.ownKeys(open()),
      getOwnPropertyDescriptor: (_module, property) => {
        const found = Reflect.getOwnPropertyDescriptor(open(), property);
        // A proxy may not call fixed what its own object does not have.
        return found && { ...found, configurable: true };
      },
    },
  );
