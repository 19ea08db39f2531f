'use strict';
// Where an executable starts: the bundled command line, as scripts/launch.cjs starts it under Node. What most commands
// do not use is evaluated when it is first used. release.mjs makes main.cjs, rest.cjs and packages.cjs.
const { onFirstUse, slowBuiltins } = require('./on-first-use.cjs');
const packages = require('./packages.cjs');

// Written out, since the compiler looks for them.
const files = { './main.js': () => require('./main.cjs'), './rest.js': () => require('./rest.cjs') };
const loaded = new Map();

function load(file) {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(file, module);
  files[file]()(module.exports, requirePart, module, '', '');
  return module.exports;
}

function requirePart(name) {
  const [file, part] = name.split('#');
  if (part !== undefined) return load(file).modules[part]();
  // The command line imports openpgp where it is used, and copies its exports then.
  if (name === 'openpgp') return packages[name]();
  if (name in packages) return onFirstUse(packages[name]);
  return slowBuiltins.has(name) ? onFirstUse(() => process.getBuiltinModule(name)) : process.getBuiltinModule(name);
}

// Bun says there what was compiled, and not by which name it was called.
process.argv[1] = process.argv0;
load('./main.js')
  .main(process.argv.slice(2))
  .then((code) => process.exit(code));
