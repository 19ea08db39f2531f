import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accessOf } from './deploying.mjs';
import { inTurns, measureOnce, median, printGoal, printTable, sorted, takeTurns } from './timing.mjs';

const count = 1000;

/**
 * `tshelm plan` of a release beside a bare loop of the same server-side dry runs (bare-dry-runs.mjs), on the cluster of
 * $TSHELM_BENCH_KUBECONFIG: nothing changes, everything changes, nothing is there yet.
 */
export async function plans({ tshelm }) {
  const kubeconfig = process.env.TSHELM_BENCH_KUBECONFIG;
  if (kubeconfig === undefined) {
    console.log('\n(plans: set TSHELM_BENCH_KUBECONFIG to a test cluster to time plans beside a bare loop)');
    return;
  }
  process.env.NODE_NO_WARNINGS = '1';
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  const chart = mixedChart(join(folder, 'mixed'));
  const namespace = `bench-plans-${Date.now()}`;
  const env = { KUBECONFIG: kubeconfig };
  const run = (...words) => ({ command: process.execPath, args: [tshelm, ...words, '-n', namespace], env });
  const [install] = [run('install', 'bench', chart, '--create-namespace', '--timeout', '5m')];
  takeTurns([install], 0);
  const { server, token } = accessOf(kubeconfig);
  const loop = fileURLToPath(new URL('./bare-dry-runs.mjs', import.meta.url));
  const cases = [
    { title: 'nothing changes', version: 1, release: 'bench' },
    { title: 'everything changes', version: 2, release: 'bench' },
    { title: 'nothing is there yet', version: 1, release: 'other' },
  ];
  for (const { title, version, release } of cases) {
    const commands = [
      { command: process.execPath, args: [loop, server, token, namespace, release, `${version}`, `${count}`], env },
      run('plan', release, chart, '--set', `version=${version}`),
    ];
    const rounds = inPairs(commands, Number(process.env.TSHELM_BENCH_ROUNDS ?? 7));
    const timesOf = (index) => sorted(rounds.map((round) => round[index].elapsedMs));
    printTable(`plans: ${count} objects, ${title}`, [
      { name: 'bare loop of dry runs', times: timesOf(0) },
      { name: 'tshelm plan', times: timesOf(1) },
    ]);
    const ratios = sorted(rounds.map(([loop, plan]) => plan.elapsedMs / loop.elapsedMs));
    const cpu = sorted(rounds.map(([loop, plan]) => plan.cpuMs - loop.cpuMs));
    printGoal('plan, of the bare loop', median(ratios), 1.3);
    console.log(
      `  of each round ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}; ${median(cpu).toFixed(0)} ms more processor time`,
    );
  }
  takeTurns([run('uninstall', 'bench')], 0);
  rmSync(folder, { recursive: true });
}

/** What each command took in each round: two that run one after the other meet the same machine. The first round warms up. */
function inPairs(commands, rounds) {
  return Array.from({ length: rounds + 1 }, (_, round) => {
    const measured = inTurns(commands, round).map(([index, command]) => [index, measureOnce(command)]);
    return measured.sort(([a], [b]) => a - b).map(([, one]) => one);
  }).slice(1);
}

function mixedChart(folder) {
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: mixed\nversion: 1.0.0\n');
  writeFileSync(join(folder, 'values.yaml'), 'version: 1\n');
  writeFileSync(
    join(folder, 'templates', 'all.yaml'),
    `{{- range $i := until ${count / 5} }}
${mixedObjects('{{ $.Release.Name }}-{{ $i }}', '{{ $.Values.version }}')
  .map((object) => `---\n${JSON.stringify(object)}\n`)
  .join('')}{{- end }}
`,
  );
  return folder;
}

/** A workload as charts have it: five objects. */
export function mixedObjects(name, version) {
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/version': version };
  const metadata = { name, labels };
  const selector = { 'app.kubernetes.io/name': name };
  const container = {
    name: 'main',
    image: `registry.example/app:${version}`,
    ports: [{ name: 'http', containerPort: 8080 }],
    envFrom: [{ configMapRef: { name } }, { secretRef: { name } }],
    readinessProbe: { httpGet: { path: '/ready', port: 'http' } },
    resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '64Mi' } },
  };
  const template = { metadata: { labels }, spec: { serviceAccountName: name, containers: [container] } };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { VERSION: version, LOG_LEVEL: 'info' } },
    { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { password: `password-${name}-${version}` } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { replicas: 0, selector: { matchLabels: selector }, template },
    },
  ];
}
