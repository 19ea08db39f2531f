'use strict';
// Where an executable starts: the bundled command line, as scripts/launch.cjs starts it under Node. What most commands
// do not use is evaluated when it is first used. release.mjs makes command-line.cjs and packages.cjs.
const { onFirstUse, slowBuiltins } = require('./on-first-use.cjs');
const commandLine = require('./command-line.cjs');
const packages = require('./packages.cjs');

function requirePart(name) {
  // The command line imports openpgp where it is used, and copies its exports then.
  if (name === 'openpgp') return packages[name]();
  if (name in packages) return onFirstUse(packages[name]);
  return slowBuiltins.has(name) ? onFirstUse(() => process.getBuiltinModule(name)) : process.getBuiltinModule(name);
}

// Bun says there what was compiled, and not by which name it was called.
process.argv[1] = process.argv0;
const bundle = { exports: {} };
commandLine(bundle.exports, requirePart, bundle, '', '');
bundle.exports.main(process.argv.slice(2)).then((code) => process.exit(code));
