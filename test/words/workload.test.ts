import { expect, test } from 'vitest';
import { Quote } from '../../src/problem/quote.ts';
import type { Remedy } from '../../src/problem/remedy.ts';
import type { WorkloadFact } from '../../src/problem/workload-fact.ts';
import { remedyText } from '../../src/words/remedy.ts';
import { factsText, workloadText } from '../../src/words/workload.ts';

const words = new Quote('words of another program');
const chain = ['Deployment/web', 'ReplicaSet/web-7d', 'Pod/web-7d-x'];
const pod = { outlook: 'doubtful', chain, pod: 'web-7d-x', reason: 'Reason', words } as const;
const app = { ...pod, container: 'app' } as const;
const image = { ...app, reason: 'ImagePullBackOff', image: 'web:1' } as const;
const own = { outlook: 'open', chain: ['Deployment/web'], words } as const;
const probe = { kind: 'readiness', answer: 'status', status: 404, words, asked: new Quote('GET :80/up') } as const;
const patience = { initialDelaySeconds: 5, failureThreshold: 3, periodSeconds: 2 };
const secret = { kind: 'Secret', name: 'db' } as const;
const id = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };

/** Every fact once. */
const facts: readonly WorkloadFact[] = [
  { ...image, code: 'image-not-found' },
  { ...image, code: 'image-denied' },
  { ...image, code: 'image-not-found-or-denied' },
  { ...image, code: 'registry-unreachable' },
  { ...image, code: 'registry-limit' },
  { ...image, code: 'image-name-invalid', reason: 'InvalidImageName' },
  { ...image, code: 'image-not-on-node', reason: 'ErrImageNeverPull' },
  { ...image, code: 'image-pull-failed' },
  { ...pod, code: 'pull-secret-missing', secret: 'login', image: 'web:1' },
  { ...app, code: 'out-of-memory', reason: 'CrashLoopBackOff', limit: '64Mi', exitCode: 137, restarts: 1 },
  { ...app, code: 'program-ended', reason: 'CrashLoopBackOff', exitCode: 1, restarts: 3, noProgressMs: 30_000 },
  { ...app, code: 'program-ended', reason: 'Error', exitCode: 1, end: { reason: 'DeadlineExceeded', words } },
  { ...app, code: 'killed-by-probe', reason: 'CrashLoopBackOff', probe, patience, exitCode: 137 },
  { ...app, code: 'program-not-started', reason: 'RunContainerError', why: 'StartError', exitCode: 128 },
  {
    ...app,
    code: 'reference-missing',
    reason: 'CreateContainerConfigError',
    missing: secret,
    alsoMissing: [{ kind: 'ConfigMap', name: 'a', key: 'b' }],
  },
  { ...app, code: 'root-refused', reason: 'CreateContainerConfigError' },
  { ...app, code: 'container-held', reason: 'CreateContainerError' },
  { ...app, code: 'probe-failed', probe, failures: 3, before: { exitCode: 137, reason: 'OOMKilled', limit: '64Mi' } },
  { ...app, code: 'container-not-ready', isInit: true },
  { ...app, code: 'still-running' },
  {
    ...pod,
    code: 'pod-unschedulable',
    reason: 'Unschedulable',
    obstacles: [],
    lacking: [{ resource: 'cpu', requested: ['4', '8'], largest: '16', isTaken: true }],
  },
  {
    ...pod,
    code: 'pod-unschedulable',
    reason: 'Unschedulable',
    obstacles: ['node-selector'],
    lacking: [],
    nodeSelector: ['disk=ssd'],
  },
  { ...pod, code: 'mount-failed', reason: 'FailedMount' },
  { ...pod, code: 'pod-failed', reason: 'Evicted' },
  { outlook: 'open', pod: 'web-7d-x', code: 'pod-pending', phase: 'pending' },
  { ...pod, code: 'claim-missing', claim: 'data' },
  { outlook: 'open', code: 'claim-not-bound', claim: 'data', phase: 'Pending' },
  { ...pod, code: 'claim-not-bound', reason: 'ProvisioningFailed', claim: 'data' },
  {
    ...pod,
    code: 'storage-class-missing',
    reason: 'ProvisioningFailed',
    claim: 'data',
    storageClass: 'fast',
    classes: ['gp3', 'standard'],
  },
  { ...own, code: 'pods-exceed-quota' },
  { ...own, code: 'resources-unspecified' },
  { ...own, code: 'pods-refused', names: [] },
  { ...own, code: 'service-account-missing', name: 'robot' },
  { ...own, code: 'priority-class-missing', name: 'urgent' },
  { ...own, code: 'pods-not-created' },
  { ...own, code: 'job-failed', reason: 'PodFailurePolicy' },
  { ...own, code: 'progress-deadline-exceeded' },
  { ...own, code: 'being-deleted', finalizers: ['a/b'] },
  { ...own, code: 'condition', reason: 'Stalled' },
  { ...own, code: 'status-missing' },
  { ...own, code: 'consumer-missing' },
  { outlook: 'open', code: 'paused', field: 'spec.suspend', value: 'true' },
  { ...own, code: 'no-pod-selected', labels: ['app=web', 'tier=front'] },
  {
    ...own,
    code: 'no-pod-selected',
    labels: ['app=web', 'tier=front'],
    nearest: [{ owner: 'Deployment/web', labels: ['tier=main'] }],
  },
  { outlook: 'open', code: 'target-port-missing', port: 'http', names: ['web', 'metrics'] },
  { ...own, code: 'not-ready' },
  { ...own, code: 'not-found' },
  { ...own, code: 'not-readable' },
  { ...own, code: 'ready-now' },
];
const path = ['spec', 'template', 'spec', 'containers', 0, 'image'];
const remedies: readonly Remedy[] = [
  { kind: 'change-field', object: id, path, how: 'correct' },
  { kind: 'change-field', object: id, path, keys: ['image', 'tag'], how: 'correct' },
  { kind: 'change-field', object: id, path, keys: ['images', 'example.com/web', 'memory'], how: 'raise' },
  { kind: 'change-field', object: id, path, value: 'web:2' },
  { kind: 'create-object', object: { kind: 'Secret', name: 'db', namespace: 'shop' }, keys: ['password'] },
  { kind: 'apply-earlier', object: { apiVersion: 'v1', kind: 'ConfigMap', namespace: '', name: 'web' }, neededBy: id },
  { kind: 'create-object', object: { kind: 'Secret', name: 'login' }, type: 'kubernetes.io/dockerconfigjson' },
  { kind: 'use-name', name: 'web-db', instead: 'db', of: { ...id, kind: 'Secret', name: 'web-db' } },
  { kind: 'use-name', name: 'password', instead: 'pass', of: { ...id, kind: 'Secret', name: 'db' } },
  { kind: 'outside', what: 'push-image', name: 'web:2' },
  { kind: 'outside', what: 'add-node', name: 'cpu' },
  { kind: 'outside', what: 'raise-quota', name: 'small' },
  { kind: 'outside', what: 'install-crd', name: 'Widget' },
  { kind: 'outside', what: 'create-storage-class', name: 'fast' },
  { kind: 'outside', what: 'provide-volume', name: 'data' },
  { kind: 'outside', what: 'read-log' },
  { kind: 'outside', what: 'fix-program' },
  { kind: 'outside', what: 'ask-for-rights', name: 'list pods' },
  { kind: 'outside', what: 'check-registry', name: 'r.example.com/web:1' },
  { kind: 'outside', what: 'fix-dns', name: 'db.example.com' },
];

const of = (code: WorkloadFact['code']): readonly WorkloadFact[] => facts.filter((fact) => fact.code === code);

test('every fact of a workload and every remedy, as they are printed', async () => {
  const lines = [
    ...facts.map((fact) => `${fact.code}: ${workloadText(fact)}`),
    '',
    "# as Helm's lines have them",
    factsText(of('image-not-found')),
    factsText([...of('program-ended').slice(0, 1), ...of('image-not-found')]),
    factsText(of('program-ended').slice(1)),
    factsText(of('pods-refused')),
    '',
    '# remedies',
    ...remedies.map((remedy) => `${remedy.kind}: ${remedyText(remedy)}`),
  ];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('workload.txt');
});
