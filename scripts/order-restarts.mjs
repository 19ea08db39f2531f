// Rehearses charts with no order and with the suggested one, where each container crashes until its hosts are ready.
//   node scripts/order-restarts.mjs --cases CHARTS/cases.tsv [--only REGEXP]
// Prints the restarts and the time of both, for charts that are restarted without an order.
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { flagsOfCase, readCases, run } from './plane-charts.mjs';

const { values: flags } = parseArgs({ options: { cases: { type: 'string' }, only: { type: 'string', default: '' } } });
const cwd = dirname(resolve(flags.cases));
const sums = { charts: 0, none: 0, suggested: 0 };
for (const each of readCases(flags.cases).filter(([id]) => new RegExp(flags.only).test(id))) {
  const words = ['rehearse', 'rel', each[1], '--compare', '-o', 'json', '--timeout', '1h', ...flagsOfCase(each)];
  const { code, stdout, line } = await run(words, { cwd });
  if (code !== 0) {
    console.log(`${each[0]}: ${line}`);
    continue;
  }
  const { orders } = JSON.parse(stdout);
  const [none, suggested] = ['none', 'suggested'].map((order) => orders.find((one) => one.order === order));
  if (none.restarts + suggested.restarts === 0 && none.status === 'succeeded') continue;
  sums.charts += 1;
  sums.none += none.restarts;
  sums.suggested += suggested.restarts;
  console.log(`${each[0]}: --wait ${shown(none)}; suggested ${shown(suggested)}`);
}
console.log(`${sums.charts} charts: ${sums.none} restarts with --wait, ${sums.suggested} with the suggested order`);

function shown({ restarts, seconds, status, failure }) {
  const end = status === 'succeeded' ? '' : ` (${status}: ${failure.message.split('\n')[0]})`;
  return `${restarts} restarts in ${Math.round(seconds)} s${end}`;
}
