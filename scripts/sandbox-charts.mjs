// Installs charts with --wait on the sandbox and on a real control plane, and prints where the two differ.
//   node scripts/sandbox-charts.mjs --cases CHARTS/cases.tsv --kubeconfig PLANE/kubeconfig [--keep ANSWERS.json] [--only WORD]
// --keep holds the control plane's answers between runs, which take most of the time.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { flagsOfCase, onControlPlane, readCases, run } from './plane-charts.mjs';

const { values: flags } = parseArgs({
  options: {
    cases: { type: 'string' },
    kubeconfig: { type: 'string' },
    keep: { type: 'string' },
    only: { type: 'string' },
    timeout: { type: 'string', default: '40s' },
  },
});
const cwd = dirname(resolve(flags.cases));
const kept = flags.keep !== undefined && existsSync(flags.keep) ? JSON.parse(readFileSync(flags.keep, 'utf8')) : {};
const cases = readCases(flags.cases).filter(([id]) => flags.only === undefined || id.includes(flags.only));

let alike = 0;
let unanswered = 0;
for (const [index, each] of cases.entries()) {
  const [id, chart] = each;
  const words = ['install', 'rel', chart, '--wait', '--timeout', flags.timeout, ...flagsOfCase(each)];
  const sandbox = await onSandbox(words);
  if (flags.kubeconfig !== undefined && kept[id] === undefined) {
    const namespace = `charts-${index}-${process.pid}`;
    const { code, cause, line } = await onControlPlane(resolve(flags.kubeconfig), namespace, words, { cwd });
    kept[id] = { code, cause, line };
  }
  const real = kept[id];
  if (real === undefined) {
    unanswered += 1;
    console.log(`${id}\n  sandbox:       ${shown(sandbox)}`);
    continue;
  }
  if (flags.keep !== undefined) writeFileSync(flags.keep, `${JSON.stringify(kept, null, 1)}\n`);
  if (sandbox.code === real.code && sandbox.cause === real.cause) alike += 1;
  else console.log(`${id}\n  control plane: ${shown(real)}\n  sandbox:       ${shown(sandbox)}`);
}
const noAnswer = unanswered === 0 ? '' : `; ${unanswered} without an answer of the control plane`;
console.log(`${alike} of ${cases.length - unanswered} alike${noAnswer}`);

function shown({ code, line }) {
  return code === 0 ? 'deployed' : line;
}

async function onSandbox(words) {
  const directory = mkdtempSync(join(tmpdir(), 'sandbox-charts-'));
  const answer = await run([...words, '-n', 'charts', '--create-namespace', '--sandbox-dir', directory], { cwd });
  rmSync(directory, { recursive: true, force: true });
  return answer;
}
