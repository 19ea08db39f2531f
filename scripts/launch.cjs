'use strict';
// Starts the bundled command line.
const nodeModule = require('node:module');
const { constants } = require('node:os');
const { cacheFolder } = require('./cache-folder.js');

// From Node 22.1 on; $NODE_COMPILE_CACHE names another folder, and $NODE_DISABLE_COMPILE_CACHE=1 turns it off.
if (nodeModule.enableCompileCache !== undefined && !process.env.NODE_COMPILE_CACHE) {
  const folder = cacheFolder();
  if (folder !== undefined) nodeModule.enableCompileCache(folder);
}

// Node's default stack holds some 590 nested includes, and Helm admits 1000 of each name. This one fits into the stack
// that Unix gives to a process (8 MiB); Windows gives 1 MiB.
const largeStack = '--stack-size=3900';
const mayRerun = process.platform !== 'win32' && !process.execArgv.includes(largeStack);

function rerun(stdin) {
  const { spawn } = require('node:child_process');
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

require('./main.js')
  .main(process.argv.slice(2), undefined, mayRerun ? rerun : undefined)
  // All is written and closed by now; an exit of its own accord would also take the heap apart, which takes milliseconds.
  .then((code) => process.exit(code));
