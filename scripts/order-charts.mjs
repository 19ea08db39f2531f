// Installs charts with --wait and with --wait=auto on a real control plane, in turns, and plans each with its suggested order.
//   node scripts/order-charts.mjs --cases CHARTS/cases.tsv --kubeconfig PLANE/kubeconfig --keep TIMES.json [--rounds 2]
// Prints what only --wait deploys, what is slower with --wait=auto, and suggestions that cannot be planned. --keep holds
// what is measured already, so that a run can be cut short and taken up again.
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
    rounds: { type: 'string', default: '2' },
    timeout: { type: 'string', default: '40s' },
  },
});
const kubeconfig = resolve(flags.kubeconfig);
const cwd = dirname(resolve(flags.cases));
const kept = existsSync(flags.keep) ? JSON.parse(readFileSync(flags.keep, 'utf8')) : {};
const cases = readCases(flags.cases);

for (let round = 0; round < Number(flags.rounds); round++) {
  for (const [index, each] of cases.entries()) {
    const [id] = each;
    const known = (kept[id] ??= { suggested: await suggested(each), rounds: [] });
    if (known.rounds.length > round || known.rounds.some(({ wait }) => wait.code !== 0)) continue;
    const modes = (index + round) % 2 === 0 ? ['wait', 'auto'] : ['auto', 'wait'];
    const measured = {};
    for (const mode of modes) measured[mode] = await installed(each, mode, `${mode}-${index}-${process.pid}`);
    known.rounds.push(measured);
    writeFileSync(flags.keep, `${JSON.stringify(kept, null, 1)}\n`);
  }
}
report();

async function installed(each, mode, namespace) {
  const how = mode === 'wait' ? '--wait' : '--wait=auto';
  const words = ['install', 'rel', each[1], how, '--timeout', flags.timeout, ...flagsOfCase(each)];
  const { code, line, ms } = await onControlPlane(kubeconfig, namespace, words, { cwd });
  return { code, ms: Math.round(ms), ...(code !== 0 && { line }) };
}

/** Whether the order that is suggested can be planned, and how many edges it has. */
async function suggested(each) {
  const given = [...flagsOfCase(each), '-n', 'charts'];
  const suggestion = await run(['order', 'suggest', each[1], ...given], { cwd });
  if (suggestion.code !== 0) return { code: suggestion.code, line: suggestion.line };
  const directory = mkdtempSync(join(tmpdir(), 'order-charts-'));
  const order = join(directory, 'order.yaml');
  writeFileSync(order, suggestion.stdout);
  const { code, cause, line } = await run(['dag', each[1], '--order', order, ...given], { cwd });
  rmSync(directory, { recursive: true, force: true });
  const edges = suggestion.stdout.split('\n').filter((text) => text.includes(' dependsOn: ')).length;
  return { code, edges, ...(code !== 0 && { cause, line }) };
}

function report() {
  const entries = Object.entries(kept).filter(([, { rounds }]) => rounds.length > 0);
  const deployed = entries.filter(([, { rounds }]) => rounds.every(({ wait }) => wait.code === 0));
  const missed = deployed.filter(([, { rounds }]) => rounds.some(({ auto }) => auto.code !== 0));
  const fastest = (rounds, mode) => Math.min(...rounds.map((one) => one[mode].ms));
  const times = deployed
    .filter((one) => !missed.includes(one))
    .map(([id, { rounds }]) => ({ id, wait: fastest(rounds, 'wait'), auto: fastest(rounds, 'auto') }))
    .sort((a, b) => b.auto / b.wait - a.auto / a.wait);
  const sum = (mode) => times.reduce((total, one) => total + one[mode], 0);
  const refused = entries.filter(([, { suggested: one }]) => one.code !== 0);
  console.log(
    `${entries.length} charts, ${deployed.length} deployed with --wait, ${missed.length} of these not with auto`,
  );
  for (const [id, { rounds }] of missed)
    console.log(`  ${id}: ${rounds.map(({ auto }) => auto.line ?? 'deployed').join('; ')}`);
  console.log(
    `--wait ${sum('wait')} ms, --wait=auto ${sum('auto')} ms, ratio ${(sum('auto') / sum('wait')).toFixed(3)}; slowest:`,
  );
  for (const { id, wait, auto } of times.slice(0, 12))
    console.log(`  ${(auto / wait).toFixed(2)} ${id}: ${wait} ms, ${auto} ms`);
  const edged = entries.filter(([, { suggested: one }]) => one.edges > 0).length;
  console.log(`an order is suggested for ${edged}, ${refused.length} cannot be suggested or planned`);
  for (const [id, { suggested: one }] of refused) console.log(`  ${id}: ${one.line}`);
}
