#!/usr/bin/env node
// Runs the unit tests of every chart below a folder with helm-unittest and with tshelm, and compares the verdict of each
// test, the report and the snapshots.
//   node scripts/unittest-conformance.mjs --charts DIR --helm-unittest PROGRAM [--tshelm bin/tshelm] [--differences 20]
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    charts: { type: 'string' },
    'helm-unittest': { type: 'string' },
    tshelm: { type: 'string', default: 'bin/tshelm' },
    differences: { type: 'string', default: '20' },
  },
});
const source = resolve(values.charts);
const programs = { oracle: [resolve(values['helm-unittest'])], tshelm: [resolve(values.tshelm), 'unittest'] };
const work = mkdtempSync(join(tmpdir(), 'unittest-conformance-'));

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();

const isSuite = (path) =>
  /\.ya?ml$/.test(path) && /^tests:/m.test(readFileSync(path, 'utf8')) && /asserts:/.test(readFileSync(path, 'utf8'));

/** The innermost chart above a file that is no template of it. */
function chartAbove(repository, file) {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(repository, folder, 'Chart.yaml'))) return folder;
    if (folder === '.') return undefined;
  }
}

function suitesByChart(repository) {
  const charts = new Map();
  for (const file of filesBelow(repository)) {
    if (/\/templates\//.test(file) || !isSuite(join(repository, file))) continue;
    const chart = chartAbove(repository, file);
    if (chart !== undefined) charts.set(chart, [...(charts.get(chart) ?? []), relative(chart, file)]);
  }
  return charts;
}

function run(program, folder, { chart, files, results }) {
  const [command, ...first] = program;
  const words = [...first, '-s=false', ...files.flatMap((file) => ['-f', file]), '-t', 'JUnit', '-o', results, chart];
  const start = process.hrtime.bigint();
  const { status, stdout } = spawnSync(command, words, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    timeout: 300_000,
  });
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  const xml = existsSync(join(folder, results)) ? readFileSync(join(folder, results), 'utf8') : '';
  return { status, stdout: stdout.replace(/^Time: .*$/m, 'Time:'), ms, verdicts: verdictsIn(xml) };
}

/** In their order, with the suites' names. */
function verdictsIn(xml) {
  const found = [];
  let suite = '';
  for (const [, open, name, rest = '', body = ''] of xml.matchAll(
    /<(testsuite|testcase)\b[^>]*? name="([^"]*)"([^>]*)>([^]*?)(?=<testcase|<\/testsuite>|<testsuite )/g,
  )) {
    if (open === 'testsuite') suite = name;
    else found.push(`${suite}|${name}|${/<(failure|error|skipped)/.exec(body)?.[1] ?? 'passed'}`);
    void rest;
  }
  return found;
}

const snapshotsIn = (folder) =>
  new Map(
    filesBelow(folder)
      .filter((file) => file.endsWith('.snap'))
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );

const totals = {
  charts: 0,
  tests: 0,
  agreed: 0,
  reports: 0,
  exits: 0,
  snapshots: 0,
  sameSnapshots: 0,
  oracleMs: 0,
  tshelmMs: 0,
};
const byKind = {};
let left = Number(values.differences);
const tell = (text) => left-- > 0 && process.stdout.write(`${text}\n`);

for (const name of readdirSync(source).sort()) {
  const repository = join(source, name);
  const charts = suitesByChart(repository);
  if (charts.size === 0) continue;
  const folders = Object.fromEntries(Object.keys(programs).map((who) => [who, join(work, who, name)]));
  for (const folder of Object.values(folders)) cpSync(repository, folder, { recursive: true, verbatimSymlinks: true });
  for (const [chart, files] of charts) {
    const results = {};
    for (const who of Object.keys(programs))
      results[who] = run(programs[who], folders[who], { chart, files, results: `results-${basename(chart)}.xml` });
    const { oracle, tshelm } = results;
    totals.charts += 1;
    totals.oracleMs += oracle.ms;
    totals.tshelmMs += tshelm.ms;
    if (oracle.status === tshelm.status) totals.exits += 1;
    else tell(`EXIT ${name} ${chart}: ${oracle.status} ${tshelm.status}`);
    const count = Math.max(oracle.verdicts.length, tshelm.verdicts.length);
    totals.tests += count;
    for (let at = 0; at < count; at++) {
      if (oracle.verdicts[at] === tshelm.verdicts[at]) totals.agreed += 1;
      else tell(`TEST ${name} ${chart}\n  oracle ${oracle.verdicts[at]}\n  tshelm ${tshelm.verdicts[at]}`);
      const verdict = oracle.verdicts[at]?.split('|').at(-1);
      byKind[verdict] = (byKind[verdict] ?? 0) + 1;
    }
    if (oracle.stdout === tshelm.stdout) totals.reports += 1;
    else tell(`REPORT ${name} ${chart}\n${firstDifference(oracle.stdout, tshelm.stdout)}`);
  }
  const [theirs, ours] = [snapshotsIn(folders.oracle), snapshotsIn(folders.tshelm)];
  for (const [file, text] of theirs) {
    totals.snapshots += 1;
    if (ours.get(file) === text) totals.sameSnapshots += 1;
    else tell(`SNAPSHOT ${name} ${file}\n${firstDifference(text, ours.get(file) ?? '(none)')}`);
  }
}
rmSync(work, { recursive: true, force: true });
process.stdout.write(`${JSON.stringify({ ...totals, byKind, ratio: totals.tshelmMs / totals.oracleMs }, null, 1)}\n`);

function firstDifference(a, b) {
  const [left, right] = [a.split('\n'), b.split('\n')];
  const at = left.findIndex((line, index) => line !== right[index]);
  const from = Math.max(0, at < 0 ? left.length : at);
  const show = (lines) =>
    lines
      .slice(from, from + 4)
      .map((line) => line.slice(0, 300))
      .join('\n         ');
  return `  oracle ${show(left)}\n  tshelm ${show(right)}`;
}
