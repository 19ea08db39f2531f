import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './timing.mjs';

const unitCount = 50;
const graphCount = 5;
const pairRuns = 5;

/**
 * How much later than the graph allows an ordered install is, on the cluster of $TSHELM_BENCH_KUBECONFIG (the control
 * plane of the end-to-end tests: its pods are ready when an annotation says so). Each node's time is what the cluster
 * takes for it in the same run, from its creation to its being available, as a watch beside the install sees it; what the
 * graph allows is the longest of each level, or the longest path, of those times. The install is the whole process.
 */
export async function ordering({ tshelm }) {
  const kubeconfig = process.env.TSHELM_BENCH_KUBECONFIG;
  if (kubeconfig === undefined) {
    console.log('\n(ordering: set TSHELM_BENCH_KUBECONFIG to a test control plane to time ordered installs)');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  const run = runner(tshelm, kubeconfig);
  console.log('\nordering: installs of 50 units in order, beside what the graph allows');
  for (let seed = 1; seed <= graphCount; seed++) {
    const graph = generatedGraph(seed);
    const chart = umbrella(join(folder, `graph-${seed}`), graph);
    const byBatches = await run(chart, ['--wait=ordered']);
    report(`graph ${seed}, by batches`, batchesMs(graph, byBatches.nodeMs), byBatches);
    const eager = await run(chart, ['--wait=ordered', '--eager']);
    report(`graph ${seed}, --eager`, longestPathMs(graph, eager.nodeMs), eager);
  }
  await undeclared(folder, run);
  rmSync(folder, { recursive: true });
}

function report(title, allowedMs, { elapsedMs, cpuMs }) {
  const over = (100 * (elapsedMs - allowedMs)) / allowedMs;
  console.log(
    `  ${title.padEnd(32)} allowed ${allowedMs.toFixed(0).padStart(6)} ms  took ${elapsedMs.toFixed(0).padStart(6)} ms  ${over.toFixed(1).padStart(5)} % over  (CPU of the process ${cpuMs.toFixed(0)} ms)`,
  );
}

/** Installs a chart in a namespace of its own, watched from beside, and uninstalls it; only the install is timed. */
function runner(tshelm, kubeconfig) {
  let count = 0;
  return async (chart, flags) => {
    const namespace = `ordering-${process.pid}-${count++}`;
    const env = { ...process.env, KUBECONFIG: kubeconfig };
    const words = ['install', 'bench', chart, '-n', namespace, '--create-namespace', '--timeout', '5m', ...flags];
    const observer = observeDeployments(kubeconfig, namespace);
    const timed = await timedProcess([process.execPath, tshelm, ...words], env);
    const nodeMs = observer.end();
    const uninstall = ['uninstall', 'bench', '-n', namespace, '--wait=hookOnly'];
    spawnSync(process.execPath, [tshelm, ...uninstall], { env });
    return { ...timed, nodeMs };
  };
}

/** Wall and CPU time of a process, by bash's `time`. */
function timedProcess(words, env) {
  const child = spawn('bash', ['-c', 'TIMEFORMAT="%R %U %S"; time "$0" "$@" >/dev/null', ...words], { env });
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`${words.join(' ')} failed:\n${stderr}`));
      const [real, user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
      return resolve({ elapsedMs: real * 1000, cpuMs: (user + system) * 1000 });
    });
  });
}

/** Watches a namespace's Deployments; `end` tells how long each took from its creation to its being available. */
function observeDeployments(kubeconfig, namespace) {
  const text = readFileSync(kubeconfig, 'utf8');
  const server = /server: "?([^"\s}]+)/.exec(text)[1];
  const token = /token: ([^\s}]+)/.exec(text)[1];
  const seen = new Map();
  const took = new Map();
  let rest = '';
  const watch = request(`${server}/apis/apps/v1/namespaces/${namespace}/deployments?watch=true`, {
    headers: { authorization: `Bearer ${token}` },
    rejectUnauthorized: false,
  });
  watch.on('error', () => {});
  watch.on('response', (response) => {
    response.on('error', () => {});
    response.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) note(JSON.parse(line).object);
    });
  });
  watch.end();
  const note = ({ metadata, spec, status }) => {
    const now = performance.now();
    if (!seen.has(metadata.name)) seen.set(metadata.name, now);
    if (status.availableReplicas !== spec.replicas || took.has(metadata.name)) return;
    took.set(metadata.name, now - seen.get(metadata.name));
  };
  return {
    end() {
      watch.destroy();
      return took;
    },
  };
}

/** `--wait=ordered` beside `--wait`, in turns, on a chart that declares nothing. */
async function undeclared(folder, run) {
  const chart = join(folder, 'plain');
  for (const { name, readyMs } of generatedGraph(9).slice(0, 20)) writeDeployment(chart, name, readyMs);
  writeMetadata(chart, 'plain', '');
  const over = [];
  const ordered = [];
  for (let round = 0; round < pairRuns; round++) {
    for (const [wait, times] of [
      ['--wait', over],
      ['--wait=ordered', ordered],
    ]) {
      const { elapsedMs, cpuMs, nodeMs } = await run(chart, [wait]);
      times.push({
        elapsedMs: elapsedMs - Math.max(...nodeMs.values()),
        cpuMs,
        allowedMs: Math.max(...nodeMs.values()),
      });
    }
  }
  const middle = (runs, field) => median(runs.map((each) => each[field]).sort((a, b) => a - b));
  const allowedMs = middle([...over, ...ordered], 'allowedMs');
  report('no declarations, --wait=ordered', allowedMs + middle(over, 'elapsedMs'), {
    elapsedMs: allowedMs + middle(ordered, 'elapsedMs'),
    cpuMs: middle(ordered, 'cpuMs'),
  });
}

/**
 * Units with a time each, that wait for up to three of those before them; the same for the same seed. The last one waits
 * for all that would stand alone: subcharts that no declaration names begin only when all others are ready.
 */
function generatedGraph(seed) {
  let state = seed * 2654435761;
  const random = () => (state = (state * 1664525 + 1013904223) % 2 ** 32) / 2 ** 32;
  const graph = Array.from({ length: unitCount }, (_, index) => {
    const before = Array.from({ length: Math.floor(random() * 4) }, () => Math.floor(random() * index));
    const waitsFor = index < 6 ? [] : [...new Set(before)].map((one) => `u${one}`);
    return { name: `u${index}`, readyMs: 2000 + 500 * Math.floor(random() * 7), waitsFor };
  });
  const named = new Set(graph.flatMap(({ waitsFor }) => waitsFor));
  const last = graph.at(-1);
  const alone = graph.filter((unit) => unit !== last && unit.waitsFor.length === 0 && !named.has(unit.name));
  last.waitsFor.push(...alone.map(({ name }) => name));
  return graph;
}

function levelsOf(graph) {
  const levels = new Map();
  for (const { name, waitsFor } of graph) levels.set(name, Math.max(-1, ...waitsFor.map((one) => levels.get(one))) + 1);
  const found = [];
  for (const unit of graph) (found[levels.get(unit.name)] ??= []).push(unit);
  return found;
}

const batchesMs = (graph, nodeMs) =>
  levelsOf(graph).reduce((sum, level) => sum + Math.max(...level.map(({ name }) => nodeMs.get(name))), 0);

function longestPathMs(graph, nodeMs) {
  const ends = new Map();
  for (const { name, waitsFor } of graph)
    ends.set(name, nodeMs.get(name) + Math.max(0, ...waitsFor.map((one) => ends.get(one))));
  return Math.max(...ends.values());
}

function umbrella(folder, graph) {
  for (const { name, readyMs } of graph) writeChart(join(folder, 'charts', name), { name, readyMs });
  const dependencies = graph.map(
    ({ name, waitsFor }) => `- {name: ${name}, version: 1.0.0, depends-on: [${waitsFor.join(', ')}]}\n`,
  );
  return writeMetadata(folder, 'graph', `dependencies:\n${dependencies.join('')}`);
}

function writeChart(folder, { name, readyMs }) {
  writeDeployment(folder, name, readyMs);
  return writeMetadata(folder, name, '');
}

function writeMetadata(folder, name, more) {
  writeFileSync(join(folder, 'Chart.yaml'), `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`);
  return folder;
}

function writeDeployment(folder, name, readyMs) {
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(
    join(folder, 'templates', `${name}.yaml`),
    `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}, annotations: {e2e.tshelm.dev/ready-after: ${readyMs}ms}}
    spec: {containers: [{name: main, image: example.com/main:1}]}
`,
  );
}
