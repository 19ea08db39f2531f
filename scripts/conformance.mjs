#!/usr/bin/env node
// Renders and lints every chart below a folder, with all its ci values, with tshelm and with Helm, and compares what they print.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, homedir, tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import yaml from 'js-yaml';
import { unpackTar } from 'modern-tar';

/** What is compared, with the arguments that name a chart. */
const commands = {
  template: (chart) => ['template', 'rel', chart],
  lint: (chart) => ['lint', chart],
  'lint-strict': (chart) => ['lint', chart, '--strict'],
  'lint-with-subcharts': (chart) => ['lint', chart, '--with-subcharts'],
};

const usage = `usage: npm run conformance -- --charts DIR [options]

  --charts DIR         every directory with a Chart.yaml and every .tgz below it is a chart
  --helm PATH          Helm's executable (default: ~/.cache/tshelm-e2e/bin/helm, else helm)
  --tshelm PATH        tshelm's executable (default: bin/tshelm of this checkout)
  --filter TEXT        only cases whose name contains TEXT
  --commands LIST      of ${Object.keys(commands)} (default: all)
  --jobs N             cases that run at a time
  --kube-version V     passed to both programs
  --json FILE          writes the result of every case`;

const flags = readFlags();
if (flags.help) {
  console.log(usage);
  process.exit(0);
}
if (flags.charts === undefined) refuse(`--charts is missing\n${usage}`);
if (!/^[1-9]\d*$/.test(flags.jobs ?? '1')) refuse(`--jobs is no number above 0: ${flags.jobs}`);

const chosen = flags.commands?.split(',') ?? Object.keys(commands);
const unknown = chosen.find((name) => !Object.hasOwn(commands, name));
if (unknown !== undefined) refuse(`--commands names an unknown command: ${unknown}\n${usage}`);

function readFlags() {
  const text = { type: 'string' };
  const help = { type: 'boolean', short: 'h' };
  const options = {
    charts: text,
    helm: text,
    tshelm: text,
    filter: text,
    commands: text,
    jobs: text,
    'kube-version': text,
    json: text,
    help,
  };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse(`${error.message}\n${usage}`);
  }
}

/** Ends a run that cannot compare anything: exit code 2, where 1 says that something differs. */
function refuse(message) {
  console.error(message);
  process.exit(2);
}

async function installedHelm() {
  const cached = join(homedir(), '.cache/tshelm-e2e/bin/helm');
  const names = await readdir(join(cached, '..')).catch(() => []);
  return names.includes('helm') ? cached : 'helm';
}

/** A chart once with its own values, and once with each file below its ci/ folder. */
async function casesBelow(root) {
  const cases = [];
  for (const chart of await chartsBelow(root)) {
    const name = relative(root, chart) || basename(chart);
    cases.push({ name, chart });
    for (const values of await ciValues(chart)) {
      cases.push({ name: `${name} ${values.name}`, chart, values: values.path });
    }
  }
  return cases;
}

async function chartsBelow(directory) {
  const entries = await readdir(directory, { withFileTypes: true });
  // A chart's own charts/ folder holds parts of it, not cases.
  if (entries.some((entry) => entry.name === 'Chart.yaml')) return [directory];
  const found = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) found.push(...(await chartsBelow(path)));
    else if (entry.name.endsWith('.tgz')) found.push(path);
  }
  return found;
}

const isCiValues = (name) => /^ci\/[^/]+\.ya?ml$/.test(name);

async function ciValues(chart) {
  if (chart.endsWith('.tgz')) return packedCiValues(chart);
  const names = await readdir(join(chart, 'ci')).catch(() => []);
  const files = names.map((name) => `ci/${name}`).filter(isCiValues);
  return files.sort().map((name) => ({ name, path: join(chart, name) }));
}

async function packedCiValues(archive) {
  const entries = await unpackTar(gunzipSync(await readFile(archive)));
  const files = [];
  for (const { header, data } of entries) {
    const name = header.name.replace(/^\.?\/*[^/]+\//, '');
    if (!isCiValues(name) || data === undefined) continue;
    const path = join(scratch, `${basename(archive, '.tgz')}-${basename(name)}`);
    await writeFile(path, data);
    files.push({ name, path });
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function compareCase({ name, command, chart, values }) {
  const args = [...commands[command](chart), '--namespace', 'ns'];
  if (flags['kube-version'] !== undefined) args.push('--kube-version', flags['kube-version']);
  if (values !== undefined) args.push('-f', values);
  const helm = await run(programs.helm, args);
  const tshelm = await run(programs.tshelm, args);
  const times = { helmMs: helm.elapsedMs, tshelmMs: tshelm.elapsedMs };
  if (tshelm.crashed) return { name, verdict: 'crashed', ...times, difference: firstLine(tshelm.stderr) };
  if (command !== 'template') return { name, ...times, ...lintVerdict(helm, tshelm) };
  if (outputOf(helm) === outputOf(tshelm)) return { name, verdict: 'identical', ...times };
  // Charts that draw random names or print the time differ between two runs of Helm, too.
  const again = await run(programs.helm, args);
  const difference = firstDifference(outputOf(helm), outputOf(again), outputOf(tshelm));
  if (difference === undefined) return { name, verdict: 'identical', random: true, ...times };
  const verdict = isSameData(helm, tshelm) ? 'same data, other bytes' : 'different';
  return { name, verdict, ...times, difference };
}

/** What counts: the text, or the error where there is one. */
const outputOf = ({ code, stdout, stderr }) => (code === 0 ? stdout : `exit ${code}\n${errorOf(stderr)}`);

// `web/values.yaml:3:4` and the lines of the file around it, which tshelm shows below Helm's words.
const excerpt = /\n\S[^\n]*:\d+(?::\d+)?\n(?:[> ] +\d+ \|[^\n]*\n(?: +\|[^\n]*\n)?)+/g;

/** Standard error from `Error:` on: what stands before it is a log. */
function errorOf(stderr) {
  const at = stderr.search(/^Error: /m);
  return (at === -1 ? stderr : stderr.slice(at)).replace(excerpt, '');
}

/** Lint: everything that is printed, but for warnings that only tshelm has, in the report or logged. Other lines of tshelm's own are differences. */
function lintVerdict(helm, tshelm) {
  const lines = lintLines(helm);
  const actualLines = lintLines(tshelm);
  let index = 0;
  let own = 0;
  for (const line of actualLines) {
    if (line === lines[index]) index++;
    else if (/^(?:\[WARNING\]|level=WARN) /.test(line)) own++;
    else return lintDifference(lines, index, line);
  }
  return index === lines.length ? { verdict: 'identical', own } : lintDifference(lines, index, '(nothing)');
}

const lintLines = ({ code, stdout, stderr }) => `exit ${code}\n${stdout}${stderr}`.split('\n');

const lintDifference = (lines, index, line) => ({
  verdict: 'different',
  difference: { line: index + 1, helm: lines[index] ?? '(nothing)', tshelm: line },
});

const firstLine = (text) => text.trim().split('\n')[0];

function run(program, args) {
  const startedAt = performance.now();
  return new Promise((done) => {
    const options = { maxBuffer: 1 << 30, timeout: 300_000, encoding: 'utf8' };
    execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      const crashed = code !== 0 && !(code === 1 && /^Error: /m.test(stderr));
      done({ code, crashed, stdout, stderr: stderr || String(error ?? ''), elapsedMs: performance.now() - startedAt });
    });
  });
}

/**
 * The first line of `actual` that is not as expected. Lines that Helm itself does not repeat are not compared; where even
 * their number changes from run to run, every line that both runs have must be there.
 */
function firstDifference(expected, expectedAgain, actual) {
  const [lines, linesAgain, actualLines] = [expected, expectedAgain, actual].map((text) => text.split('\n'));
  if (lines.length !== linesAgain.length) return firstMissing(lines, new Set(linesAgain), new Set(actualLines));
  for (let index = 0; index < Math.max(lines.length, actualLines.length); index++) {
    if (lines[index] !== linesAgain[index] || lines[index] === actualLines[index]) continue;
    return { line: index + 1, helm: lines[index] ?? '(nothing)', tshelm: actualLines[index] ?? '(nothing)' };
  }
  return undefined;
}

function firstMissing(lines, linesAgain, actualLines) {
  const index = lines.findIndex((line) => linesAgain.has(line) && !actualLines.has(line));
  return index === -1 ? undefined : { line: index + 1, helm: lines[index], tshelm: '(nowhere)' };
}

function isSameData(helm, tshelm) {
  if (helm.code !== 0 || tshelm.code !== 0) return false;
  try {
    return isDeepStrictEqual(yaml.loadAll(helm.stdout), yaml.loadAll(tshelm.stdout));
  } catch {
    return false;
  }
}

async function inParallel(items, jobs, work) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, worker));
  return results;
}

function report(results) {
  const seconds = (key) => `${(results.reduce((sum, result) => sum + result[key], 0) / 1000).toFixed(1)} s`;
  const count = (verdict) => results.filter((result) => result.verdict === verdict).length;
  for (const { name, verdict, difference } of results) {
    if (verdict === 'identical') continue;
    console.log(`${verdict}: ${name}`);
    if (typeof difference === 'string') console.log(`  ${difference}`);
    else console.log(`  line ${difference.line}\n    helm:   ${difference.helm}\n    tshelm: ${difference.tshelm}`);
  }
  console.log(`cases                    ${results.length}`);
  console.log(`warnings beyond Helm's   ${results.reduce((sum, { own = 0 }) => sum + own, 0)}`);
  console.log(`identical                ${count('identical')}`);
  console.log(`same data, other bytes   ${count('same data, other bytes')}`);
  console.log(`different                ${count('different')}`);
  console.log(`crashed                  ${count('crashed')}`);
  console.log(`time                     helm ${seconds('helmMs')}, tshelm ${seconds('tshelmMs')}`);
}

const repository = resolve(fileURLToPath(import.meta.url), '../..');
const programs = {
  helm: flags.helm ?? (await installedHelm()),
  tshelm: flags.tshelm ?? join(repository, 'bin/tshelm'),
};
for (const [name, path] of Object.entries(programs)) {
  const { code, stderr } = await run(path, ['version']);
  if (code !== 0) refuse(`cannot run --${name} ${path}: ${stderr.trim()}`);
}
const scratch = await mkdtemp(join(tmpdir(), 'tshelm-conformance-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const root = resolve(flags.charts);
const all = await casesBelow(root).catch((error) => refuse(`cannot read --charts ${flags.charts}: ${error.message}`));
const named = all.flatMap((one) =>
  chosen.map((command) => ({ ...one, command, name: command === 'template' ? one.name : `${command} ${one.name}` })),
);
const cases = named.filter(({ name }) => name.includes(flags.filter ?? ''));
if (cases.length === 0) refuse(`no ${all.length === 0 ? 'chart' : 'case of that name'} below ${root}`);
const results = await inParallel(cases, Number(flags.jobs ?? availableParallelism()), compareCase);
report(results);
if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify(results, null, 2)}\n`);
process.exitCode = results.every(({ verdict }) => verdict === 'identical') ? 0 : 1;
