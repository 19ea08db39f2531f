import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  generatedGraph,
  longestPathMs,
  observeDeployments,
  report,
  timedProcess,
  writeDeployment,
} from './known-times.mjs';
import { peakMemory, timeOnce } from './timing.mjs';

const levels = 10;
const graphCount = 3;
const graphSize = 60;
const mostMemoryMb = 400;
const bareLoop = fileURLToPath(new URL('bare-stack-loop.mjs', import.meta.url));

/**
 * Stacks on the cluster of $TSHELM_BENCH_KUBECONFIG: 100 releases in ten levels beside helmfile (which is taken from Helm's
 * folder), graphs of releases whose pods take known times beside what the graph allows (on the control plane of the
 * end-to-end tests), and 1,000 releases beside a straight loop of the same requests.
 */
export async function stacks({ tshelm, helm }) {
  const kubeconfig = process.env.TSHELM_BENCH_KUBECONFIG;
  if (kubeconfig === undefined) {
    console.log('\n(stacks: set TSHELM_BENCH_KUBECONFIG to a test cluster to time stacks)');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  const bench = { folder, kubeconfig, tshelm, helm };
  writeChart(join(folder, 'chart'));
  await knownTimes(bench);
  besideHelmfile(bench);
  await thousand(bench);
  rmSync(folder, { recursive: true });
}

/** `stack apply` beside `helmfile sync`, and both once more without changes, beside `helmfile apply` where Helm has the plugin diff ($HELM_PLUGINS). */
function besideHelmfile({ folder, kubeconfig, tshelm, helm }) {
  const helmfile = helm === undefined ? '' : join(dirname(helm), 'helmfile');
  if (!existsSync(helmfile)) return console.log('\n(stacks: have helmfile beside helm to compare with it)');
  const env = { KUBECONFIG: kubeconfig, PATH: `${dirname(helm)}:${process.env.PATH}` };
  const tools = [
    { name: 'helmfile', command: helmfile, args: ['-q'] },
    { name: 'tshelm', command: process.execPath, args: [tshelm, 'stack'] },
  ];
  const [theirs, ours] = tools.map(({ name, command, args }) => {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, stackText(`bench-${name}-${Date.now()}`, 100));
    return (verb, ...more) => timeOnce({ command, args: [...args, verb, '-f', file, ...more], env });
  });
  const both = [
    ['100 releases, beside helmfile sync', ours('apply'), theirs('sync', '--skip-deps'), 0.15],
    ['again without changes, beside helmfile apply', ours('apply'), unchanged(theirs), 0.1],
    ['sync again, beside helmfile sync', ours('sync'), theirs('sync', '--skip-deps'), 0.15],
  ];
  console.log('\nstacks: 100 releases in 10 levels');
  for (const [title, ourMs, theirMs, goal] of both) {
    const beside =
      theirMs === undefined ? 'helmfile apply needs helm-diff below $HELM_PLUGINS' : ratioText(ourMs / theirMs, goal);
    console.log(`  ${title.padEnd(46)} ${(ourMs / 1000).toFixed(1).padStart(6)} s  ${beside}`);
    if (theirMs !== undefined) console.log(`  ${''.padEnd(46)} ${(theirMs / 1000).toFixed(1).padStart(6)} s  helmfile`);
  }
  ours('destroy');
  theirs('destroy', '--skip-deps');
}

function unchanged(helmfile) {
  try {
    return helmfile('apply', '--skip-deps');
  } catch {
    return undefined;
  }
}

const ratioText = (ratio, goal) => `${ratio.toFixed(3)} ×, at most ${goal}: ${ratio <= goal ? 'yes' : 'NO'}`;

/**
 * How much later than its graph allows a stack is ready. A release's time is what the cluster takes for its Deployment in the
 * same run, from its creation to its being available, as a watch beside it sees it; the run is the whole process.
 */
async function knownTimes({ folder, kubeconfig, tshelm }) {
  console.log(`\nstacks: ${graphSize} releases whose pods take known times, beside what the graph allows`);
  for (let seed = 1; seed <= graphCount; seed++) {
    const graph = generatedGraph(seed, graphSize);
    const namespace = `bench-times-${seed}-${Date.now()}`;
    const path = join(folder, `times-${seed}`);
    const releases = graph.map(({ name, readyMs, waitsFor }) => {
      writeDeployment(join(path, name), name, readyMs);
      writeFileSync(join(path, name, 'Chart.yaml'), `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`);
      const needs = waitsFor.map((one) => `${namespace}/${one}`).join(', ');
      return `  - {name: ${name}, namespace: ${namespace}, chart: ./${name}, wait: true, needs: [${needs}]}\n`;
    });
    writeFileSync(join(path, 'helmfile.yaml'), `releases:\n${releases.join('')}`);
    const env = { ...process.env, KUBECONFIG: kubeconfig };
    const words = (verb) => [process.execPath, tshelm, 'stack', verb, '-f', join(path, 'helmfile.yaml')];
    const observer = observeDeployments(kubeconfig, namespace);
    const timed = await timedProcess([...words('sync'), '--concurrency', String(graphSize)], env);
    report(`graph ${seed}`, longestPathMs(graph, observer.end()), timed);
    spawnSync(process.execPath, words('destroy').slice(1), { env });
  }
}

/** Each line is one run; the loop has the same requests and no graph, and goes once before `sync` and once after it. */
async function thousand({ folder, kubeconfig, tshelm }) {
  console.log('\nstacks: 1,000 releases in 10 levels, three objects each');
  const text = readFileSync(kubeconfig, 'utf8');
  const [, server] = /server: "?([^"\s}]+)/.exec(text);
  const [, token] = /token: ([^\s}]+)/.exec(text);
  const file = join(folder, 'thousand.yaml');
  writeFileSync(file, stackText(`bench-thousand-${Date.now()}`, 1000));
  const loop = () => {
    const args = [bareLoop, server, token, `bench-bare-${Date.now()}`, '1000'];
    const elapsedMs = timeOnce({ command: process.execPath, args });
    line('straight loop of the same requests', elapsedMs);
    return elapsedMs;
  };
  const run = async (verb) => {
    const started = performance.now();
    const command = { command: process.execPath, args: [tshelm, 'stack', verb, '-f', file] };
    const peakMb = await peakMemory({ ...command, env: { KUBECONFIG: kubeconfig } });
    const elapsedMs = performance.now() - started;
    line(verb, elapsedMs, `  peak ${peakMb.toFixed(0)} MB${peakMb < mostMemoryMb ? '' : ', TOO MUCH'}`);
    return elapsedMs;
  };
  const before = loop();
  const syncMs = await run('sync');
  console.log(`  ${'sync beside the loop'.padEnd(36)} ${((2 * syncMs) / (before + loop())).toFixed(2).padStart(6)} ×`);
  for (const verb of ['apply', 'diff', 'status', 'list', 'drift', 'destroy']) await run(verb);
}

const line = (title, elapsedMs, more = '') =>
  console.log(`  ${title.padEnd(36)} ${(elapsedMs / 1000).toFixed(1).padStart(6)} s${more}`);

function writeChart(path) {
  mkdirSync(join(path, 'templates'), { recursive: true });
  writeFileSync(join(path, 'Chart.yaml'), 'apiVersion: v2\nname: small\nversion: 0.1.0\n');
  const object = (kind, name) => `apiVersion: v1\nkind: ${kind}\nmetadata: {name: "{{ .Release.Name }}-${name}"}\n`;
  const map = `${object('ConfigMap', 'map')}data: {v: {{ .Values.v | quote }}}\n`;
  const service = `${object('Service', 'service')}spec: {ports: [{port: 80}], selector: {app: "{{ .Release.Name }}"}}\n`;
  writeFileSync(join(path, 'templates/all.yaml'), [map, service, object('ServiceAccount', 'account')].join('---\n'));
}

/** Each release needs two of the level before. */
function stackText(namespace, count) {
  const wide = count / levels;
  const releases = Array.from({ length: count }, (_, index) => {
    const [level, at] = [Math.floor(index / wide), index % wide];
    const before = (other) => `r${(level - 1) * wide + (other % wide)}`;
    const needs = level === 0 ? '' : `, needs: [${before(at)}, ${before(at + 1)}]`;
    return `  - {name: r${index}, namespace: ${namespace}, chart: ./chart, values: [{v: ${index}}]${needs}}\n`;
  });
  return `releases:\n${releases.join('')}`;
}
