'use strict';
/** Node's modules of which each takes milliseconds to load, and which most commands do not use. */
exports.slowBuiltins = new Set(
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

/**
 * Stands for a module until one of its exports is asked for, or which there are: a default import of a package that says
 * `__esModule` copies them.
 */
exports.onFirstUse = (open) =>
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
