// Installs charts with --wait on the sandbox and on a real control plane, and prints where the two differ.
//   node scripts/sandbox-charts.mjs --cases CHARTS/cases.tsv --kubeconfig PLANE/kubeconfig [--keep ANSWERS.json] [--only WORD]
// --keep holds the control plane's answers between runs, which take most of the time. Each case is a line of tab-separated
// words: id, chart, values file or -, extra flags or -.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({
  options: {
    cases: { type: 'string' },
    kubeconfig: { type: 'string' },
    keep: { type: 'string' },
    only: { type: 'string' },
    timeout: { type: 'string', default: '40s' },
  },
});
const program = resolve(import.meta.dirname, '../bin/tshelm');
const folder = dirname(resolve(flags.cases));
const kept = flags.keep !== undefined && existsSync(flags.keep) ? JSON.parse(readFileSync(flags.keep, 'utf8')) : {};
const cases = readFileSync(flags.cases, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'))
  .filter(([id]) => flags.only === undefined || id.includes(flags.only));

/** Of which the cluster has objects of its own. */
const clusterScoped = [
  'apis/rbac.authorization.k8s.io/v1/clusterroles',
  'apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  'apis/storage.k8s.io/v1/storageclasses',
  'apis/scheduling.k8s.io/v1/priorityclasses',
  'apis/networking.k8s.io/v1/ingressclasses',
  'apis/apiregistration.k8s.io/v1/apiservices',
];

let alike = 0;
let unanswered = 0;
for (const [index, [id, chart, values, extra]] of cases.entries()) {
  const words = ['install', 'rel', chart, '--wait', '--timeout', flags.timeout];
  if (values !== '-') words.push('-f', values);
  if (extra !== '-') words.push(...extra.replaceAll(/['"]/g, '').split(' '));
  const sandbox = await onSandbox(words);
  if (flags.kubeconfig !== undefined) kept[id] ??= await onControlPlane(words, index);
  const real = kept[id];
  if (real === undefined) {
    unanswered += 1;
    console.log(`${id}\n  sandbox:       ${shown(sandbox)}`);
    continue;
  }
  if (flags.keep !== undefined) writeFileSync(flags.keep, `${JSON.stringify(kept, null, 1)}\n`);
  if (sandbox.code === real.code && sandbox.cause === real.cause) alike += 1;
  else console.log(`${id}\n  control plane: ${shown(real)}\n  sandbox:       ${shown(sandbox)}`);
}
const noAnswer = unanswered === 0 ? '' : `; ${unanswered} without an answer of the control plane`;
console.log(`${alike} of ${cases.length - unanswered} alike${noAnswer}`);

function shown({ code, line }) {
  return code === 0 ? 'deployed' : line;
}

async function onSandbox(words) {
  const directory = mkdtempSync(join(tmpdir(), 'sandbox-charts-'));
  const answer = await run([...words, '-n', 'charts', '--create-namespace', '--sandbox-dir', directory], {});
  rmSync(directory, { recursive: true, force: true });
  return answer;
}

async function onControlPlane(words, index) {
  const env = { KUBECONFIG: flags.kubeconfig };
  const namespace = `charts-${index}-${process.pid}`;
  const before = new Set(await clusterWide());
  const provider = setInterval(() => void provide().catch(() => {}), 500);
  const answer = await run([...words, '-n', namespace, '--create-namespace'], env);
  clearInterval(provider);
  await run(['uninstall', 'rel', '-n', namespace, '--no-hooks', '--ignore-not-found'], env);
  await forget(namespace, before);
  return answer;
}

/** What an uninstall leaves would change the next answer. */
async function forget(namespace, before) {
  for (const path of [
    `api/v1/namespaces/${namespace}`,
    'api/v1/persistentvolumes',
    'apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    'apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    'apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
  ])
    await ask('DELETE', path);
  for (const path of await clusterWide()) if (!before.has(path)) await ask('DELETE', path);
}

async function namesOf(path) {
  const { items = [] } = await ask('GET', path);
  return items.map(({ metadata }) => `${path}/${metadata.name}`);
}

async function clusterWide() {
  return (await Promise.all(clusterScoped.map(namesOf))).flat();
}

/** The control plane has no provisioner of volumes: this is one, with the class that a sandbox has. */
async function provide() {
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

async function ask(method, path, body) {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  const text = readFileSync(flags.kubeconfig, 'utf8');
  const server = /server: "([^"]+)"/.exec(text)?.[1];
  const headers = { authorization: `Bearer ${/token: ([\w-]+)/.exec(text)?.[1]}`, 'content-type': 'application/json' };
  const response = await fetch(`${server}/${path}`, { method, headers, body: body && JSON.stringify(body) });
  return response.json();
}

function run(words, env) {
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (bytes) => {
    text += bytes;
  });
  return new Promise((done) =>
    child.on('close', (code) => {
      const line = /^Error: (.*)$/m.exec(text)?.[1] ?? text.trim().split('\n').at(-1);
      done({ code, cause: /\[([\w-]+)\](?: \(timed out .*\))?$/.exec(line)?.[1], line });
    }),
  );
}
