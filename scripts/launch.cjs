'use strict';
// Starts the bundled command line. What is before the version is known to be right works in any Node.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write('Error: tshelm needs Node 20.19 or later; this is Node ' + process.versions.node + '\n');
  process.exit(1);
}
const { existsSync } = require('node:fs');
const nodeModule = require('node:module');
const { constants } = require('node:os');
const { cacheFolder } = require('./cache-folder.js');

// From Node 22.1 on; $NODE_COMPILE_CACHE names another folder, and $NODE_DISABLE_COMPILE_CACHE=1 turns it off.
if (nodeModule.enableCompileCache !== undefined && !process.env.NODE_COMPILE_CACHE) {
  const folder = cacheFolder();
  if (folder !== undefined) nodeModule.enableCompileCache(folder);
}

// Node's default stack holds some 590 nested includes, and Helm admits 1000 of each name and 100,000 of all. This much
// holds them all where a process may have it; otherwise what fits into the stack that Unix gives (8 MiB); Windows gives 1.
const withLargeStack =
  'ulimit -s 262144 2>/dev/null && exec "$0" --stack-size=250000 "$@"; exec "$0" --stack-size=3900 "$@"';
const hasLargeStack = process.execArgv.some((option) => option.startsWith('--stack-size='));
const mayRerun = process.platform !== 'win32' && !hasLargeStack;

function rerun(stdin) {
  const { spawn } = require('node:child_process');
  const words = [...process.execArgv, ...process.argv.slice(1)];
  const [program, ...all] = existsSync('/bin/sh')
    ? ['/bin/sh', '-c', withLargeStack, process.execPath, ...words]
    : [process.execPath, '--stack-size=3900', ...words];
  const child = spawn(program, all, {
    stdio: [stdin === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
  });
  child.stdin?.end(stdin);
  process.on('SIGINT', () => {}); // A terminal sends it to both.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) =>
    child.on('error', reject).on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal])),
  );
}

function startThread(workerData) {
  const { Worker } = require('node:worker_threads');
  return new Worker(require.resolve('./thread.js'), { workerData });
}

require('./main.js')
  .main(process.argv.slice(2), undefined, { rerun: mayRerun ? rerun : undefined, startThread })
  // All is written and closed by now; an exit of its own accord would also take the heap apart, which takes milliseconds.
  .then((code) => process.exit(code));
