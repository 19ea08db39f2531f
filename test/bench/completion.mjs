import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executable } from './startup.mjs';
import { compare } from './timing.mjs';

const cluster = process.env.TSHELM_BENCH_KUBECONFIG;

/** What a shell asks when Tab is pressed. People take an answer within 100 ms for immediate. */
const offline = [
  ['a command', ['']],
  ['a flag', ['install', '--wa']],
  ["a flag's value", ['list', '-o', '']],
  ['a context', ['list', '--kube-context', '']],
  ['a repository', ['repo', 'remove', '']],
  ['a chart', ['install', 'name', 'web/']],
];
const ofCluster = [
  ['a release', ['status', '']],
  ['a revision', ['rollback', 'bench-completion', '']],
  ['a namespace', ['list', '--namespace', '']],
];

/** Completions beside Helm's: without a cluster, and with $TSHELM_BENCH_KUBECONFIG what is asked of one. */
export async function completion({ root, tshelm, helm }) {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  const env = homeIn(folder);
  const programs = [
    { name: 'tshelm', command: process.execPath, before: [tshelm] },
    ...executable(root).map((command) => ({ name: 'executable', command, before: [] })),
    ...(helm ? [{ name: 'helm', command: helm, before: [] }] : []),
  ];
  const rows = (questions, kubeconfig) =>
    questions.flatMap(([what, words]) =>
      programs.map(({ name, command, before }) => ({
        name: `${name}: ${what}`,
        command,
        args: [...before, '__complete', ...words],
        env: { ...env, KUBECONFIG: kubeconfig },
      })),
    );
  const nothing = { name: 'node -e 0', command: process.execPath, args: ['-e', '0'] };
  compare("completion: beside 'node -e 0'", [nothing, ...rows(offline, join(folder, 'kubeconfig'))], 15);
  if (cluster === undefined) console.log('(no cluster: set TSHELM_BENCH_KUBECONFIG to one for tests)');
  else {
    const release = (...words) =>
      spawnSync(process.execPath, [tshelm, ...words, '--kubeconfig', cluster], { env: { ...process.env, ...env } });
    release('install', 'bench-completion', join(root, 'fixtures/manifest-diff/chart'), '--no-hooks');
    compare("completion from a cluster: beside 'node -e 0'", [nothing, ...rows(ofCluster, cluster)], 15);
    release('uninstall', 'bench-completion');
  }
  rmSync(folder, { recursive: true });
}

/** A home with a repository of 200 charts. */
function homeIn(folder) {
  const env = { HELM_CONFIG_HOME: folder, HELM_CACHE_HOME: folder, HELM_DATA_HOME: folder };
  mkdirSync(join(folder, 'repository'));
  writeFileSync(join(folder, 'repositories.yaml'), 'apiVersion: ""\nrepositories: [{name: web, url: "https://web"}]\n');
  const charts = Array.from({ length: 200 }, (_, number) => `chart-${number}`);
  writeFileSync(join(folder, 'repository/web-charts.txt'), charts.map((name) => `${name}\n`).join(''));
  const entries = charts.map((name) => `  ${name}: [{apiVersion: v2, name: ${name}, version: 1.0.0, urls: [x]}]\n`);
  writeFileSync(join(folder, 'repository/web-index.yaml'), `apiVersion: v1\nentries:\n${entries.join('')}`);
  writeFileSync(
    join(folder, 'kubeconfig'),
    'apiVersion: v1\nkind: Config\ncontexts: [{name: a, context: {cluster: one}}, {name: b, context: {cluster: two}}]\n',
  );
  return env;
}
