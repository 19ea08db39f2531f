// Checks cases of the public charts by the library in this process: `node check-cases.mjs CHARTS`, with pairs of a chart and
// a values file or `-` as JSON on standard input.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { Tshelm } = await import('../../dist/index.mjs');
const [charts] = process.argv.slice(2);
const tshelm = new Tshelm();
for (const [chart, values] of JSON.parse(readFileSync(0, 'utf8')))
  await tshelm.check(join(charts, chart), { valueFiles: values === '-' ? [] : [join(charts, values)] });
