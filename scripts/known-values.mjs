#!/usr/bin/env node
// Charts with their own values and those of their ci/ folders: what of these `check` calls unread, and what of these the
// schema refuses that `check --values-schema` writes. Each line is a false alarm, or values that the chart does not read.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const { values: flags } = parseArgs({ options: { cases: { type: 'string' }, charts: { type: 'string' } } });
if (flags.cases === undefined && flags.charts === undefined) {
  console.error('usage: node scripts/known-values.mjs [--cases FILE] [--charts FILE]');
  console.error('--cases: as of scripts/sandbox-charts.mjs. --charts: a line for each folder of a chart.');
  process.exit(2);
}

const root = join(import.meta.dirname, '..');
const tshelm = await sources();
const totals = { charts: 0, values: 0, unread: 0, refused: 0 };
for (const [chart, files] of [...ofCases(), ...ofFolders()]) {
  try {
    await judge(chart, files);
  } catch (error) {
    console.log(`left out\t${chart}\t${error.message.split('\n')[0]}`);
  }
}
console.log(JSON.stringify(totals));

function ofCases() {
  if (flags.cases === undefined) return [];
  const rows = readFileSync(flags.cases, 'utf8').trim().split('\n').slice(1);
  const all = new Map();
  for (const row of rows) {
    const [, chart, values, extra, result] = row.split('\t');
    if (extra !== '-' || result !== 'ok') continue;
    const path = join(dirname(flags.cases), chart);
    all.set(path, [...(all.get(path) ?? []), ...(values === '-' ? [] : [join(dirname(flags.cases), values)])]);
  }
  return [...all];
}

function ofFolders() {
  if (flags.charts === undefined) return [];
  return readFileSync(flags.charts, 'utf8')
    .trim()
    .split('\n')
    .map((chart) => {
      const ci = join(chart, 'ci');
      const files = existsSync(ci) ? readdirSync(ci).filter((name) => name.endsWith('-values.yaml')) : [];
      return [chart, files.map((name) => join(ci, name))];
    });
}

async function judge(path, files) {
  const chart = tshelm.loadChartSync(path);
  if (chart.metadata.type === 'library') return;
  totals.charts += 1;
  for (const file of [undefined, ...files]) {
    const given = file === undefined ? new Map() : tshelm.readValues(readFileSync(file));
    totals.values += 1;
    const name = `${path}\t${file ?? '-'}`;
    for (const { cause } of tshelm.unreadValues(chart, given)) {
      totals.unread += 1;
      console.log(`unread\t${name}\t${cause.keys.join('.')}\t${cause.meant?.join('.') ?? ''}`);
    }
    const schema = Buffer.from(tshelm.stringifyPlain(tshelm.valuesSchema(chart)));
    const values = tshelm.coalesceValues(chart, given);
    const refused = await tshelm.validateAgainstSchema(schema, values, { notify: () => {}, download: undefined });
    if (refused === '') continue;
    totals.refused += 1;
    console.log(`refused\t${name}\t${refused.trim().replaceAll('\n', ' | ')}`);
  }
}

/** The modules that are measured, of this checkout. */
async function sources() {
  const folder = mkdtempSync(join(root, 'node_modules/.known-values-'));
  const outfile = join(folder, 'sources.mjs');
  const contents = [
    "export { coalesceValues } from './src/chart/coalesce.ts';",
    "export { loadChartSync } from './src/chart/load.ts';",
    "export { validateAgainstSchema } from './src/chart/schema/validate.ts';",
    "export { readValues } from './src/chart/values-file.ts';",
    "export { stringifyPlain } from './src/go/json/json.ts';",
    "export { unreadValues } from './src/render/unread-values.ts';",
    "export { valuesSchema } from './src/render/values-schema.ts';",
  ].join('\n');
  const stdin = { contents, resolveDir: root, loader: 'ts' };
  const packages = 'external';
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', packages, logLevel: 'error' });
  const loaded = await import(pathToFileURL(outfile));
  rmSync(folder, { recursive: true });
  return loaded;
}
