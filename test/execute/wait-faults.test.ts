import { expect, test } from 'vitest';
import type { WorkloadProblem } from '../../src/cluster/diagnosis.ts';
import type { PlanObject } from '../../src/execute/plan-objects.ts';
import { waitFaults } from '../../src/execute/wait-faults.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import { Quote } from '../../src/problem/quote.ts';
import type { Reference, WorkloadFact } from '../../src/problem/workload-fact.ts';

const id = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const web = parseManifest(
  `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      imagePullSecrets: [{name: login}]
      initContainers: [{name: wait, image: "busybox:1", command: [sh, -c, nslookup x-queue]}]
      containers: [{name: app, image: "app:1", envFrom: [{secretRef: {name: settings}}]}]
`,
  'shop/templates/web.yaml',
);
const words = new Quote('x');
const faultOf = (cause: WorkloadFact, objects: readonly PlanObject[] = [web], log: readonly string[] = []) => {
  const problem: WorkloadProblem = {
    code: cause.code,
    certainty: 'known',
    subject: { kind: 'object', id },
    cause: { chain: ['Deployment/web', 'Pod/web-1'], pod: 'web-1', ...cause },
    places: [],
    remedies: [],
    evidence: [{ kind: 'log', lines: log.map((line) => new Quote(line)), command: 'kubectl logs web-1' }],
  };
  const one = { id, state: 'waiting', status: 'InProgress', unmet: '', reason: 'x', line: 'x' } as const;
  const [fault] = waitFaults([{ one, found: [problem], said: '' }], objects);
  return fault;
};
const secret = (name: string) => ({ kind: 'Secret', name }) as const;
const configMap = (name: string) => ({ kind: 'ConfigMap', name }) as const;

const refused: WorkloadFact = {
  outlook: 'doubtful',
  code: 'image-denied',
  container: 'app',
  reason: 'ImagePullBackOff',
  image: 'r.example.com/app:1',
  words: new Quote('401'),
};

test.each([
  ['that is missing', [secret('login')], 'Secret/login'],
  ['that is missing beside another', [secret('settings'), secret('login')], 'Secret/login'],
  ['of the ServiceAccount', [secret('robot')], 'Secret/robot'],
])('a Secret with credentials %s is the cause, and the refusal its symptom', (_what, alsoMissing, named) => {
  const fault = faultOf({ ...refused, alsoMissing });
  expect(fault?.problem).toBe(`${named} does not exist, so the registry refuses r.example.com/app:1`);
  expect(fault?.symptom).toMatch(/^container app: ImagePullBackOff: 401/);
  expect(fault?.fixes?.[0]).toContain(`create ${named} of type kubernetes.io/dockerconfigjson`);
});

test('another Secret that is missing is not blamed for a refusal', () => {
  const fault = faultOf({ ...refused, alsoMissing: [secret('settings')] });
  expect(fault?.problem).toMatch(/^container app: ImagePullBackOff: 401 .*; also missing: Secret\/settings$/);
  expect(fault?.symptom).toBeUndefined();
});

test('a Secret or ConfigMap that is missing is to be created with the keys that are asked for, in the namespace', () => {
  const pods = parseManifest(
    `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers:
        - name: app
          env:
            - {name: TOKEN, valueFrom: {secretKeyRef: {name: dns, key: apiToken}}}
            - {name: ZONE, valueFrom: {secretKeyRef: {name: dns, key: zone}}}
            - {name: AGAIN, valueFrom: {secretKeyRef: {name: dns, key: zone}}}
            - {name: OTHER, valueFrom: {secretKeyRef: {name: db, key: password}}}
            - {name: LEVEL, valueFrom: {configMapKeyRef: {name: dns, key: level}}}
      volumes:
        - {name: tls, secret: {secretName: tls, items: [{key: tls.crt, path: c}]}}
        - {name: all, secret: {secretName: all}}
`,
    'shop/templates/web.yaml',
  );
  const fixesOf = (missing: Reference) =>
    faultOf({ outlook: 'doubtful', container: 'app', code: 'reference-missing', reason: 'x', words, missing }, [pods])
      ?.fixes;
  const end = ' in namespace shop, or name one that exists';
  expect(fixesOf(secret('dns'))).toEqual([`create Secret/dns with the keys apiToken, zone${end}`]);
  expect(fixesOf(configMap('dns'))).toEqual([`create ConfigMap/dns with the key level${end}`]);
  expect(fixesOf(secret('tls'))).toEqual([`create Secret/tls with the key tls.crt${end}`]);
  expect(fixesOf(secret('all'))).toEqual([`create Secret/all${end}`]);
});

test('a program that answers its probe with an error has its whole log named', () => {
  const probe = { kind: 'readiness', answer: 'status', status: 503, words } as const;
  const unready = { outlook: 'open', container: 'app', code: 'probe-failed', failures: 3, probe } as const;
  const fault = faultOf(unready, [web], ['listening']);
  expect(fault?.fields).toEqual([]);
  expect(fault?.command).toBe('kubectl logs web-1');
  expect(fault?.fixes).toHaveLength(1);
});

test('what else is missing is to be created, too', () => {
  const alsoMissing = [secret('b'), { ...secret('d'), key: 'c' }];
  const missing = configMap('a');
  const common = { outlook: 'doubtful', container: 'app', reason: 'x', words } as const;
  expect(faultOf({ ...common, code: 'reference-missing', missing, alsoMissing })?.fixes).toEqual([
    'create ConfigMap/a in namespace shop, or name one that exists',
    'create Secret/b in namespace shop, or name one that exists',
  ]);
});
