// What scripts that deploy public charts on a real control plane share.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const program = resolve(import.meta.dirname, '../bin/tshelm');

/** The cases of a file, each a line of tab-separated words: id, chart, values file or -, extra flags or -. */
export const readCases = (file) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));

/** What a case says beside its chart. */
export function flagsOfCase([, , values, extra]) {
  const words = values === '-' ? [] : ['-f', values];
  return extra === '-' ? words : [...words, ...extra.replaceAll(/['"]/g, '').split(' ')];
}

/** Runs tshelm: its exit code, the code of its error, what it printed, and how long it took. */
export function run(words, { cwd, env = {} }) {
  const start = performance.now();
  const child = spawn(program, words, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (bytes) => {
    stdout += bytes;
  });
  child.stderr.on('data', (bytes) => {
    stderr += bytes;
  });
  return new Promise((done) =>
    child.on('close', (code) => {
      const line = /^Error: (.*)$/m.exec(stderr)?.[1] ?? stderr.trim().split('\n').at(-1);
      done({
        code,
        cause: /\[([\w-]+)\](?: \(timed out .*\))?$/.exec(line)?.[1],
        line,
        stdout,
        stderr,
        ms: performance.now() - start,
      });
    }),
  );
}

/** The answer of a command in a namespace of its own; volumes are made meanwhile, and nothing is left behind. */
export async function onControlPlane(kubeconfig, namespace, words, { cwd }) {
  const ask = clientOf(kubeconfig);
  const env = { KUBECONFIG: kubeconfig };
  const before = new Set(await clusterWide(ask));
  const provider = setInterval(() => void provide(ask).catch(() => {}), 500);
  const answer = await run([...words, '-n', namespace, '--create-namespace'], { cwd, env });
  clearInterval(provider);
  await run(['uninstall', 'rel', '-n', namespace, '--no-hooks', '--ignore-not-found'], { cwd, env });
  await forget(ask, namespace, before);
  return answer;
}

/** Of which the cluster has objects of its own. */
const clusterScoped = [
  'apis/rbac.authorization.k8s.io/v1/clusterroles',
  'apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  'apis/storage.k8s.io/v1/storageclasses',
  'apis/scheduling.k8s.io/v1/priorityclasses',
  'apis/networking.k8s.io/v1/ingressclasses',
  'apis/apiregistration.k8s.io/v1/apiservices',
];

/** What an uninstall leaves would change the next answer. */
async function forget(ask, namespace, before) {
  for (const path of [
    `api/v1/namespaces/${namespace}`,
    'api/v1/persistentvolumes',
    'apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    'apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    'apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
  ])
    await ask('DELETE', path);
  for (const path of await clusterWide(ask)) if (!before.has(path)) await ask('DELETE', path);
}

async function clusterWide(ask) {
  const namesOf = async (path) => {
    const { items = [] } = await ask('GET', path);
    return items.map(({ metadata }) => `${path}/${metadata.name}`);
  };
  return (await Promise.all(clusterScoped.map(namesOf))).flat();
}

/** The control plane has no provisioner of volumes: this is one, with the class that a sandbox has. */
async function provide(ask) {
  await ask('POST', 'apis/storage.k8s.io/v1/storageclasses', {
    metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'sandbox.tshelm.dev/volume',
  });
  const { items } = await ask('GET', 'api/v1/persistentvolumeclaims');
  for (const { metadata, spec, status } of items.filter((claim) => claim.spec.storageClassName === 'standard')) {
    if (status.phase !== 'Pending') continue;
    const { accessModes, resources, storageClassName, volumeMode } = spec;
    const { name, namespace, uid } = metadata;
    const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid };
    const volume = { accessModes, capacity: resources.requests, claimRef, storageClassName, volumeMode };
    await ask('POST', 'api/v1/persistentvolumes', {
      metadata: { name: `pvc-${uid}` },
      spec: { ...volume, hostPath: { path: '/' } },
    });
  }
}

function clientOf(kubeconfig) {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  const text = readFileSync(kubeconfig, 'utf8');
  const server = /server: "([^"]+)"/.exec(text)?.[1];
  const headers = { authorization: `Bearer ${/token: ([\w-]+)/.exec(text)?.[1]}`, 'content-type': 'application/json' };
  return async (method, path, body) => {
    const response = await fetch(`${server}/${path}`, { method, headers, body: body && JSON.stringify(body) });
    return response.json();
  };
}
