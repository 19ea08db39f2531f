// npm run bench [NAME…]: times tshelm beside its references, as whole processes, taking turns, and prints ratios.
// References that are not there (Helm, charts, a cluster) are left out, and said so.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checking } from './checking.mjs';
import { completion } from './completion.mjs';
import { crowded } from './crowded.mjs';
import { deploying } from './deploying.mjs';
import { listing } from './listing.mjs';
import { masking } from './masking.mjs';
import { ordering } from './ordering.mjs';
import { planning } from './planning.mjs';
import { plans } from './plans.mjs';
import { registry } from './registry.mjs';
import { rendering } from './rendering.mjs';
import { sources } from './sources.mjs';
import { stacks } from './stacks.mjs';
import { startup } from './startup.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const helm = process.env.HELM ?? join(process.env.TSHELM_E2E_BIN ?? join(homedir(), '.cache/tshelm-e2e/bin'), 'helm');
const context = {
  root,
  tshelm: join(root, 'bin', 'tshelm'),
  helm: existsSync(helm) ? helm : undefined,
  charts: [process.env.TSHELM_CHARTS, join(root, '../shared/charts')].find((folder) => folder && existsSync(folder)),
};
console.log(`tshelm on Node ${process.version}: another one by \`PATH/TO/node test/bench/run.mjs\``);
if (context.helm === undefined) console.log(`(no Helm at ${helm}: set HELM to compare with it)`);
if (context.charts === undefined) console.log('(no public charts: set TSHELM_CHARTS to a folder with archives/)');

const benchmarks = {
  startup,
  completion,
  rendering,
  checking,
  planning,
  plans,
  masking,
  deploying,
  crowded,
  listing,
  ordering,
  sources,
  registry,
  stacks,
};
const names = process.argv.slice(2);
for (const [name, benchmark] of Object.entries(benchmarks)) {
  if (names.length === 0 || names.includes(name)) await benchmark(context);
}
