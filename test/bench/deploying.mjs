import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTurns, median, printGoal, printTable, sorted, timeOnce } from './timing.mjs';
import { waitedInstalls } from './waited-installs.mjs';

/** Of public charts; with more of them ($TSHELM_BENCH_ROUNDS) a ratio is known better. */
const rounds = Number(process.env.TSHELM_BENCH_ROUNDS ?? 3);
/** No round begins after that long: with three rounds the whole benchmark stays below eight minutes. */
const roundsEndMs = rounds * 2 * 60_000;

/**
 * Installs, upgrades and uninstalls beside Helm, on the cluster of $TSHELM_BENCH_KUBECONFIG: a test cluster with a token,
 * such as test/e2e/control-plane/up.sh starts, because CRDs are deleted between the runs. ConfigMaps are also sent by a
 * bare loop (bare-loop.mjs), which is the bound. The executable of `npm run release` takes part as $TSHELM_BENCH_EXECUTABLE.
 */
export async function deploying({ tshelm, helm, charts }) {
  const kubeconfig = process.env.TSHELM_BENCH_KUBECONFIG;
  if (kubeconfig === undefined || helm === undefined) {
    console.log('\n(deploying: set TSHELM_BENCH_KUBECONFIG to a test cluster to time installs beside Helm)');
    return;
  }
  const executable = process.env.TSHELM_BENCH_EXECUTABLE;
  const bench = {
    access: accessOf(kubeconfig),
    tools: [
      { name: 'helm', command: helm, args: [] },
      { name: 'tshelm', command: process.execPath, args: [tshelm] },
      ...(executable === undefined ? [] : [{ name: 'executable', command: executable, args: [] }]),
    ],
    env: { KUBECONFIG: kubeconfig },
  };
  const endsAt = Date.now() + roundsEndMs;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  process.env.NODE_NO_WARNINGS = '1';
  process.removeAllListeners('warning');
  configMaps(500, bench);
  if (charts !== undefined) await waitedInstalls(join(charts, 'archives'), { ...bench, rounds, endsAt });
}

/** The server and the token of a kubeconfig as up.sh writes it. */
export function accessOf(kubeconfig) {
  const text = readFileSync(kubeconfig, 'utf8');
  const [, server] = /server: "?([^"\s}]+)/.exec(text) ?? [];
  const [, token] = /token: ([^\s}]+)/.exec(text) ?? [];
  if (server === undefined || token === undefined) throw new Error(`${kubeconfig} names no server with a token`);
  return { server, token };
}

function configMaps(count, { access, tools, env }) {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  const chart = configMapChart(join(folder, 'maps'), count);
  const loop = fileURLToPath(new URL('./bare-loop.mjs', import.meta.url));
  const runners = [
    ...tools.map(({ name, command, args }) => ({
      name,
      run: (words, namespace) => timeOnce({ command, args: [...args, ...words, '-n', namespace], env }),
      install: ['install', 'bench', chart, '--create-namespace', '--timeout', '5m'],
      upgrade: ['upgrade', 'bench', chart, '--timeout', '5m'],
      uninstall: ['uninstall', 'bench'],
    })),
    {
      name: 'bare loop',
      run: (revision, namespace) =>
        timeOnce({
          command: process.execPath,
          args: [loop, access.server, access.token, namespace, 'bench', revision, String(count)],
        }),
      install: '1',
      upgrade: '2',
    },
  ];
  const times = runners.map(() => ({ install: [], upgrade: [], uninstall: [] }));
  for (let round = 0; round < 3; round++) {
    for (const [index, runner] of inTurns(runners, round)) {
      const namespace = `bench-maps-${index}-${Date.now()}`;
      for (const action of ['install', 'upgrade', 'uninstall']) {
        if (runner[action] !== undefined) times[index][action].push(runner.run(runner[action], namespace));
      }
    }
  }
  rmSync(folder, { recursive: true });
  for (const action of ['install', 'upgrade', 'uninstall']) {
    const rows = runners.map(({ name }, index) => ({ name, times: sorted(times[index][action]) }));
    printTable(
      `deploying: ${action} of ${count} ConfigMaps`,
      rows.filter((row) => row.times.length > 0),
    );
  }
  const timeOf = (index, action) => median(sorted(times.at(index)[action]));
  for (const [index, { name }] of [...tools.entries()].slice(1)) {
    const ratio = (action, reference) => timeOf(index, action) / timeOf(reference, action);
    console.log(`\ndeploying: ${name} against its goals`);
    printGoal('install, of Helm', ratio('install', 0), 1 / 3);
    printGoal('upgrade, of Helm', ratio('upgrade', 0), 1 / 4);
    printGoal('install, of the bare loop', ratio('install', -1), 1.5);
    printGoal('upgrade, of the bare loop', ratio('upgrade', -1), 1.5);
  }
}

export function configMapChart(folder, count) {
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: maps\nversion: 1.0.0\n');
  writeFileSync(
    join(folder, 'templates', 'maps.yaml'),
    `{{- range $i := until ${count} }}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ $.Release.Name }}-{{ $i }}\ndata:\n  value: "{{ $.Release.Revision }}-{{ $i }}"\n{{- end }}\n`,
  );
  return folder;
}
