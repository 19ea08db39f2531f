'use strict';
// Where an executable starts: the bundled command line, as scripts/launch.cjs starts it under Node. release.mjs makes
// packages.cjs, parts.cjs and the parts.
const requires = require('./requires.cjs');
const packages = require('./packages.cjs');
const parts = require('./parts.cjs');

const loaded = new Map();

function load(file) {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(file, module);
  parts[file]()(module.exports, requirePart, module, '', '');
  return module.exports;
}

/** What the files get in the place of Node's require(). */
function requirePart(name) {
  if (name === './requires.js') return requires;
  if (name in parts) return load(name);
  return name in packages ? packages[name]() : process.getBuiltinModule(name);
}

// Bun says there what was compiled, and not by which name it was called.
process.argv[1] = process.argv0;
load('./main.js')
  .main(process.argv.slice(2))
  .then((code) => process.exit(code));
