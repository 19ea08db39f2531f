#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
// What an editor is told of public charts: errors in charts that Helm renders, whether mistakes are found at their lines,
// and how long that takes after a change.
//   node scripts/lsp-charts.mjs --charts DIR [--helm PROGRAM] [--mistakes 6] [--filter TEXT] [--details]
// DIR holds a folder for each chart, with its dependencies in it. A mistake counts where Helm refuses or prints it.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkoutModules } from './checkout-modules.mjs';

const { values: flags } = parseArgs({
  options: {
    charts: { type: 'string' },
    helm: { type: 'string', default: 'helm' },
    mistakes: { type: 'string', default: '6' },
    filter: { type: 'string' },
    details: { type: 'boolean' },
  },
});
if (flags.charts === undefined) {
  console.error(
    'usage: node scripts/lsp-charts.mjs --charts DIR [--helm PROGRAM] [--mistakes 6] [--filter TEXT] [--details]',
  );
  process.exit(2);
}

const noPause = async () => undefined;
const { EditorSession } = await checkoutModules(["export { EditorSession } from './src/lsp/session.ts';"]);

/** Each makes a mistake in a line of a template, or says by undefined that it does not fit. */
const kinds = {
  function: (line) => changed(line, /(?<=\{\{[^}]*)\b(?:toYaml|include|nindent|quote|default)\b/, (word) => `${word}x`),
  action: (line) => (/\{\{.*\}\}\s*$/.test(line) ? line.replace(/\}\}(\s*)$/, '}$1') : undefined),
  template: (line) => changed(line, /include "[^"]+/, (call) => `${call}.absent`),
  field: (line) =>
    changed(line, /^\s+(?:containers|metadata|selector|ports|labels|volumes|template):/, (key) =>
      key.replace(/.:$/, ':'),
    ),
  type: (line) =>
    changed(line, /^\s+(?:replicas|containerPort|port|terminationGracePeriodSeconds):/, (key) => `${key} two #`),
  tab: (line) => changed(line, /^ {2,}(?=\w+: *\S)/, (space) => `\t${space.slice(1)}`),
};

const totals = { charts: 0, falseErrors: 0, latencies: [] };
const found = new Map();
for (const name of readdirSync(flags.charts).sort()) {
  const chart = join(flags.charts, name);
  if (flags.filter !== undefined && !name.includes(flags.filter)) continue;
  if (existsSync(join(chart, 'Chart.yaml')) && existsSync(join(chart, 'templates')) && rendered(chart).status === 0)
    await measure(name, chart);
}
const latencies = totals.latencies.sort((a, b) => a - b);
const at = (share) => Math.round(latencies[Math.min(Math.floor(latencies.length * share), latencies.length - 1)] ?? 0);
console.log(`${totals.charts} charts that Helm renders: ${totals.falseErrors} errors in them`);
for (const [kind, { made, at: right }] of found) console.log(`${kind}: ${right} of ${made} at their line`);
console.log(`told after ${at(0.5)} ms (median), ${at(0.95)} ms (95 of 100), ${at(1)} ms at most`);

async function measure(name, chart) {
  const session = new EditorSession({ env: {} });
  const templates = readdirSync(join(chart, 'templates'), { recursive: true })
    .filter((file) => /\.(?:ya?ml|tpl)$/.test(file))
    .map((file) => join(chart, 'templates', file));
  if (templates.length === 0) return;
  totals.charts += 1;
  const open = (path, text = readFileSync(path, 'utf8')) => session.workspace.change(path, text);
  open(templates[0]);
  for (const [path, marks] of await session.full(templates[0], noPause)) {
    for (const { level, code, message, range } of marks) {
      if (level !== 'error') continue;
      totals.falseErrors += 1;
      console.log(`${path}:${range.start.line + 1}: ${code}: ${message.split('\n')[0]}`);
    }
  }
  for (const mistake of mistakesIn(chart, templates, Number(flags.mistakes))) {
    const { kind, path, text, line } = mistake;
    open(path, text);
    const start = performance.now();
    const quick = (await session.quick(path, noPause)).get(path) ?? [];
    totals.latencies.push(performance.now() - start);
    const full = (await session.full(path, noPause)).get(path) ?? [];
    const lines = new Set([...quick, ...full].map(({ range }) => range.start.line + 1));
    const sum = found.get(kind) ?? { made: 0, at: 0 };
    found.set(kind, { made: sum.made + 1, at: sum.at + (lines.has(line) ? 1 : 0) });
    if (flags.details && !lines.has(line))
      console.log(`${kind}: ${name} ${path}:${line}: told at ${[...lines].join(', ') || 'none'}`);
    open(path);
  }
}

/** So many mistakes of kinds by turns, in lines that are spread over the templates: those that Helm refuses or prints. */
function mistakesIn(chart, templates, count) {
  const mistakes = [];
  const names = Object.keys(kinds);
  const lines = templates.flatMap((path) => {
    const own = readFileSync(path, 'utf8').split('\n');
    // The schema of a definition may say anything: a changed word in it is no mistake.
    return own.some((line) => /^kind: *CustomResourceDefinition/.test(line))
      ? []
      : own.map((line, index) => ({ path, own, line, index }));
  });
  // A step that shares no factor with the number of lines comes to each of them once.
  const step = [7919, 7907, 7901].find((prime) => lines.length % prime !== 0);
  let tries = 0;
  for (let turn = 0; turn < lines.length && mistakes.length < count && tries < 4 * count; turn++) {
    const { path, own, line, index } = lines[(turn * step) % lines.length];
    const kind = names[(totals.charts + mistakes.length) % names.length];
    const wrong = kinds[kind](line);
    if (wrong === undefined || wrong === line) continue;
    tries += 1;
    const text = own.with(index, wrong).join('\n');
    if (isSeen(chart, path, text)) mistakes.push({ kind, path, text, line: index + 1 });
  }
  return mistakes;
}

/** Whether Helm refuses the chart with this text, or prints something else: other lines are in a branch that is not taken. */
function isSeen(chart, path, text) {
  const folder = mkdtempSync(join(tmpdir(), 'lsp-charts-'));
  try {
    const copy = join(folder, 'chart');
    cpSync(chart, copy, { recursive: true });
    writeFileSync(join(copy, path.slice(chart.length + 1)), text);
    const { status, stdout } = rendered(copy);
    return status !== 0 || withoutRandom(stdout) !== withoutRandom(rendered(chart).stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Passwords and certificates differ from run to run. */
function withoutRandom(text) {
  return text.replace(/: "?[\w+/=-]{8,}"?$/gm, ': …');
}

function rendered(chart) {
  return spawnSync(flags.helm, ['template', 'rel', chart], { encoding: 'utf8', maxBuffer: 2 ** 28 });
}

/** The line with what the pattern finds replaced; undefined where it finds nothing. */
function changed(line, pattern, by) {
  return pattern.test(line) ? line.replace(pattern, by) : undefined;
}
