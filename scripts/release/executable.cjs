'use strict';
// Where an executable starts: the bundled command line, as scripts/launch.cjs starts it under Node. What most commands
// do not use is evaluated when it is first used. release.mjs makes command-line.cjs and packages.cjs.
const { onFirstUse, slowBuiltins } = require('./on-first-use.cjs');
const commandLine = require('./command-line.cjs');
const packages = require('./packages.cjs');

function requirePart(name) {
  if (name in packages) return onFirstUse(packages[name]);
  return slowBuiltins.has(name) ? onFirstUse(() => process.getBuiltinModule(name)) : process.getBuiltinModule(name);
}

const bundle = { exports: {} };
commandLine(bundle.exports, requirePart, bundle, '', '');
bundle.exports.main(process.argv.slice(2)).then((code) => process.exit(code));
