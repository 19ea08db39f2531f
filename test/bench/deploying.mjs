import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, printTable, timeOnce } from './timing.mjs';

/** Installs, upgrades and uninstalls on the cluster of $TSHELM_BENCH_KUBECONFIG (a test cluster!), beside Helm. */
export async function deploying({ tshelm, helm, charts }) {
  const kubeconfig = process.env.TSHELM_BENCH_KUBECONFIG;
  if (kubeconfig === undefined || helm === undefined) {
    console.log('\n(deploying: set TSHELM_BENCH_KUBECONFIG to a test cluster to time installs beside Helm)');
    return;
  }
  const tools = [
    { name: 'helm', command: helm, args: [] },
    { name: 'tshelm', command: process.execPath, args: [tshelm] },
  ];
  const env = { KUBECONFIG: kubeconfig };
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  for (const count of [100, 500]) {
    const chart = configMaps(join(folder, `maps-${count}`), count);
    life(`${count} ConfigMaps`, tools, env, chart, ['--timeout', '5m'], 2);
  }
  if (charts !== undefined) {
    for (const name of ['podinfo', 'nats', 'traefik', 'cert-manager', 'kyverno', 'argo-cd', 'kube-prometheus-stack']) {
      const archive = readdirSync(join(charts, 'archives')).find((file) => file.startsWith(`${name}-`));
      if (archive) life(archive, tools, env, join(charts, 'archives', archive), ['--wait', '--timeout', '5m'], 1);
    }
  }
  rmSync(folder, { recursive: true });
}

function life(title, tools, env, chart, flags, runs) {
  const times = tools.map(() => ({ install: [], uninstall: [] }));
  for (let run = 0; run < runs; run++) {
    tools.forEach(({ command, args }, index) => {
      const namespace = `bench-${index}-${Date.now()}`;
      const call = (...words) => ({ command, args: [...args, ...words, '-n', namespace], env });
      times[index].install.push(timeOnce(call('install', 'bench', chart, '--create-namespace', ...flags)));
      times[index].uninstall.push(timeOnce(call('uninstall', 'bench')));
      removeCrds(env);
    });
  }
  for (const action of ['install', 'uninstall']) {
    const rows = tools.map(({ name }, index) => ({ name, times: times[index][action].sort((a, b) => a - b) }));
    printTable(`deploying: ${action} ${title}`, rows);
  }
  return median(times[1].install) / median(times[0].install);
}

/** CRDs outlive an uninstall; the next tool must find none. */
function removeCrds(env) {
  const script = `
    const { readFileSync } = require('node:fs');
    const text = readFileSync(process.env.KUBECONFIG, 'utf8');
    const server = /server: "?([^"\\s}]+)/.exec(text)[1];
    const token = /token: ([^\\s}]+)/.exec(text)[1];
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    fetch(server + '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { method: 'DELETE', headers: { authorization: 'Bearer ' + token } })
      .then((answer) => answer.text());`;
  spawnSync(process.execPath, ['-e', script], { env: { ...process.env, ...env, NODE_NO_WARNINGS: '1' } });
}

function configMaps(folder, count) {
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: maps\nversion: 1.0.0\n');
  writeFileSync(
    join(folder, 'templates', 'maps.yaml'),
    `{{- range $i := until ${count} }}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ $.Release.Name }}-{{ $i }}\ndata:\n  value: "{{ $.Release.Revision }}-{{ $i }}"\n{{- end }}\n`,
  );
  return folder;
}
