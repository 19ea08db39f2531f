import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  generatedGraph,
  longestPathMs,
  observeDeployments,
  report,
  timedProcess,
  writeDeployment,
} from './known-times.mjs';
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
    const graph = generatedGraph(seed, unitCount);
    const chart = umbrella(join(folder, `graph-${seed}`), graph);
    const byBatches = await run(chart, ['--wait=ordered']);
    report(`graph ${seed}, by batches`, batchesMs(graph, byBatches.nodeMs), byBatches);
    const eager = await run(chart, ['--wait=ordered', '--eager']);
    report(`graph ${seed}, --eager`, longestPathMs(graph, eager.nodeMs), eager);
  }
  await undeclared(folder, run);
  rmSync(folder, { recursive: true });
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

/** `--wait=ordered` beside `--wait`, in turns, on a chart that declares nothing. */
async function undeclared(folder, run) {
  const chart = join(folder, 'plain');
  for (const { name, readyMs } of generatedGraph(9, unitCount).slice(0, 20)) writeDeployment(chart, name, readyMs);
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

function levelsOf(graph) {
  const levels = new Map();
  for (const { name, waitsFor } of graph) levels.set(name, Math.max(-1, ...waitsFor.map((one) => levels.get(one))) + 1);
  const found = [];
  for (const unit of graph) (found[levels.get(unit.name)] ??= []).push(unit);
  return found;
}

const batchesMs = (graph, nodeMs) =>
  levelsOf(graph).reduce((sum, level) => sum + Math.max(...level.map(({ name }) => nodeMs.get(name))), 0);

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
