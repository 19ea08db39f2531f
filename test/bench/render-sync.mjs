// Renders every case of the public charts by renderSync in this process, and prints how long it took, reading the charts and
// the values included: `node render-sync.mjs CHARTS [ROUNDS] [check]`. With `check`, what is stable is compared with Helm's
// own output; then the time says nothing.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const [charts, rounds = '1', check] = process.argv.slice(2);
const { Tshelm } = await import('../../dist/index.mjs');

/** The options of the library for a line of cases.tsv. */
function casesOf(folder) {
  const [, ...lines] = readFileSync(join(folder, 'cases.tsv'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [id, chart, values, extra, result, stable] = line.split('\t');
    return { id, chart: join(folder, chart), result, stable, options: optionsOf(folder, values, extra) };
  });
}

function optionsOf(folder, values, extra) {
  const options = {
    name: 'rel',
    namespace: 'ns',
    kubeVersion: '1.33.0',
    valueFiles: values === '-' ? [] : [join(folder, values)],
    set: [],
    setString: [],
    setJson: [],
    apiVersions: [],
  };
  const words = extra === '-' ? [] : wordsOf(extra);
  while (words.length > 0) {
    const flag = words.shift();
    if (flag === '--set') options.set.push(words.shift());
    else if (flag === '--set-string') options.setString.push(words.shift());
    else if (flag === '--set-json') options.setJson.push(words.shift());
    else if (flag === '--api-versions') options.apiVersions.push(words.shift());
    else if (flag === '--kube-version') options.kubeVersion = words.shift();
    else if (flag === '--include-crds') options.includeCrds = true;
    else if (flag === '--is-upgrade') options.isUpgrade = true;
    else if (flag === '--skip-schema-validation') options.skipSchemaValidation = true;
    // What chooses what is printed: all of it is rendered here.
    else if (flag === '-s') words.shift();
    else if (flag !== '--no-hooks' && flag !== '--skip-tests') throw new Error(`unknown flag ${flag}`);
  }
  return options;
}

/** As a shell splits: single quotes, and backslashes outside of them. */
const wordsOf = (text) =>
  [...text.matchAll(/(?:'[^']*'|\\.|[^\s'])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|\\(.)/g, (_whole, quoted, escaped) => escaped ?? quoted),
  );

const tshelm = new Tshelm();
const cases = casesOf(charts);
for (let round = 0; round < Number(rounds); round++) {
  const started = performance.now();
  const cpu = process.cpuUsage();
  let failures = 0;
  const wrong = [];
  for (const { id, chart, options, result, stable } of cases) {
    let rendered;
    try {
      rendered = tshelm.renderSync(chart, options);
    } catch {
      failures += 1;
    }
    if ((rendered === undefined) !== (result === 'fail')) wrong.push(id);
    else if (check === 'check' && rendered !== undefined && stable === 'yes' && !isAsExpected(id, rendered))
      wrong.push(id);
  }
  const elapsedMs = performance.now() - started;
  console.log(
    JSON.stringify({ cases: cases.length, failures, wrong, elapsedMs, cpuMs: process.cpuUsage(cpu).user / 1000 }),
  );
}

/** Whether Helm's output begins with the manifest: hooks follow it there. */
function isAsExpected(id, { manifest }) {
  const file = join(charts, 'expected', `${id}.yaml.gz`);
  return (
    !existsSync(file) ||
    id.includes('show-only') ||
    gunzipSync(readFileSync(file)).toString().startsWith(manifest.trimEnd())
  );
}
