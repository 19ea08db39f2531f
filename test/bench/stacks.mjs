import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { timeOnce } from './timing.mjs';

const levels = 10;
const wide = 10;

/**
 * 100 releases of a small chart in a graph of ten levels, on the cluster of $TSHELM_BENCH_KUBECONFIG: `stack apply` beside
 * `helmfile sync`, and both once more without changes, `stack apply` beside `helmfile apply` where Helm has the plugin diff.
 * helmfile is taken from Helm's folder.
 */
export async function stacks({ tshelm, helm }) {
  const kubeconfig = process.env.TSHELM_BENCH_KUBECONFIG;
  const helmfile = helm === undefined ? '' : join(dirname(helm), 'helmfile');
  if (kubeconfig === undefined || !existsSync(helmfile)) {
    console.log(
      '\n(stacks: set TSHELM_BENCH_KUBECONFIG to a test cluster, and have helmfile beside helm, to time stacks)',
    );
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  const env = { KUBECONFIG: kubeconfig, PATH: `${dirname(helm)}:${process.env.PATH}` };
  const tools = [
    { name: 'helmfile', command: helmfile, args: ['-q'] },
    { name: 'tshelm', command: process.execPath, args: [tshelm, 'stack'] },
  ];
  writeChart(join(folder, 'chart'));
  const [theirs, ours] = tools.map(({ name, command, args }) => {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, stackText(`bench-${name}-${Date.now()}`));
    return (verb, ...more) => timeOnce({ command, args: [...args, verb, '-f', file, ...more], env });
  });
  const both = [
    ['100 releases, beside helmfile sync', ours('apply'), theirs('sync', '--skip-deps'), 0.15],
    ['again without changes, beside helmfile apply', ours('apply'), unchanged(theirs), 0.1],
    ['sync again, beside helmfile sync', ours('sync'), theirs('sync', '--skip-deps'), 0.15],
  ];
  console.log('\nstacks: 100 releases in 10 levels');
  for (const [title, ourMs, theirMs, goal] of both) {
    const beside = theirMs === undefined ? 'helmfile has no plugin diff here' : ratioText(ourMs / theirMs, goal);
    console.log(`  ${title.padEnd(46)} ${(ourMs / 1000).toFixed(1).padStart(6)} s  ${beside}`);
    if (theirMs !== undefined) console.log(`  ${''.padEnd(46)} ${(theirMs / 1000).toFixed(1).padStart(6)} s  helmfile`);
  }
  ours('destroy');
  theirs('destroy', '--skip-deps');
  rmSync(folder, { recursive: true });
}

function unchanged(helmfile) {
  try {
    return helmfile('apply', '--skip-deps');
  } catch {
    return undefined;
  }
}

const ratioText = (ratio, goal) => `${ratio.toFixed(3)} ×, at most ${goal}: ${ratio <= goal ? 'yes' : 'NO'}`;

function writeChart(path) {
  mkdirSync(join(path, 'templates'), { recursive: true });
  writeFileSync(join(path, 'Chart.yaml'), 'apiVersion: v2\nname: small\nversion: 0.1.0\n');
  const object = (kind, name) => `apiVersion: v1\nkind: ${kind}\nmetadata: {name: "{{ .Release.Name }}-${name}"}\n`;
  const map = `${object('ConfigMap', 'map')}data: {v: {{ .Values.v | quote }}}\n`;
  const service = `${object('Service', 'service')}spec: {ports: [{port: 80}], selector: {app: "{{ .Release.Name }}"}}\n`;
  writeFileSync(join(path, 'templates/all.yaml'), [map, service, object('ServiceAccount', 'account')].join('---\n'));
}

/** Each release needs two of the level before. */
function stackText(namespace) {
  const releases = Array.from({ length: levels * wide }, (_, index) => {
    const [level, at] = [Math.floor(index / wide), index % wide];
    const before = (other) => `r${(level - 1) * wide + (other % wide)}`;
    const needs = level === 0 ? '' : `, needs: [${before(at)}, ${before(at + 1)}]`;
    return `  - {name: r${index}, namespace: ${namespace}, chart: ./chart, values: [{v: ${index}}]${needs}}\n`;
  });
  return `releases:\n${releases.join('')}`;
}
