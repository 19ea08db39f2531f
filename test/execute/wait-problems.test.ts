import { expect, test } from 'vitest';
import type { WorkloadProblem } from '../../src/cluster/diagnosis.ts';
import type { PlanObject } from '../../src/execute/plan-objects.ts';
import { waitProblems } from '../../src/execute/wait-problems.ts';
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
const problemFor = (cause: WorkloadFact, objects: readonly PlanObject[] = [web], log: readonly string[] = []) => {
  const problem: WorkloadProblem = {
    code: cause.code,
    subject: { kind: 'object', id, template: '' },
    cause: { chain: ['Deployment/web', 'Pod/web-1'], pod: 'web-1', ...cause },
    places: [],
    remedies: [],
    evidence: [{ kind: 'log', lines: log.map((line) => new Quote(line)), command: 'kubectl logs web-1' }],
  };
  const one = { id, state: 'waiting', status: 'InProgress', unmet: '', reason: 'x', line: 'x' } as const;
  const [found] = waitProblems([{ one, found: [problem], messageLine: [] }], objects);
  return found;
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
  ['that is missing', [secret('login')], 'login'],
  ['that is missing beside another', [secret('settings'), secret('login')], 'login'],
  ['of the ServiceAccount', [secret('robot')], 'robot'],
])('a Secret with credentials %s is the cause, and the refusal its symptom', (_what, alsoMissing, named) => {
  const problem = problemFor({ ...refused, alsoMissing });
  const cause = { code: 'pull-secret-missing', secret: named, image: 'r.example.com/app:1' };
  expect(problem).toMatchObject({ cause, symptom: { code: 'image-denied', container: 'app' } });
  const object = { kind: 'Secret', name: named, namespace: 'shop' };
  expect(problem?.remedies).toEqual([{ kind: 'create-object', object, type: 'kubernetes.io/dockerconfigjson' }]);
});

test('another Secret that is missing is not blamed for a refusal', () => {
  const problem = problemFor({ ...refused, alsoMissing: [secret('settings')] });
  expect(problem).toMatchObject({ code: 'image-denied', cause: { alsoMissing: [secret('settings')] } });
  expect(problem?.symptom).toBeUndefined();
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
  const common = { outlook: 'doubtful', container: 'app', code: 'reference-missing', reason: 'x', words } as const;
  const remediesFor = (missing: Reference) => problemFor({ ...common, missing }, [pods])?.remedies;
  const creates = (object: Reference, ...keys: readonly string[]) => [
    {
      kind: 'create-object',
      object: { ...object, namespace: 'shop' },
      ...(keys.length > 0 && { keys }),
    },
  ];
  expect(remediesFor(secret('dns'))).toEqual(creates(secret('dns'), 'apiToken', 'zone'));
  expect(remediesFor(configMap('dns'))).toEqual(creates(configMap('dns'), 'level'));
  expect(remediesFor(secret('tls'))).toEqual(creates(secret('tls'), 'tls.crt'));
  expect(remediesFor(secret('all'))).toEqual(creates(secret('all')));
});

test('a program that answers its probe with an error has its whole log named', () => {
  const probe = { kind: 'readiness', answer: 'status', status: 503, words } as const;
  const unready = { outlook: 'open', container: 'app', code: 'probe-failed', failures: 3, probe } as const;
  const problem = problemFor(unready, [web], ['listening']);
  expect(problem?.places).toEqual([]);
  expect(problem?.evidence).toMatchObject([{ kind: 'log', command: 'kubectl logs web-1' }]);
  expect(problem?.remedies).toEqual([{ kind: 'outside', what: 'read-log' }]);
});

test('what else is missing is to be created, too', () => {
  const alsoMissing = [secret('b'), { ...secret('d'), key: 'c' }];
  const missing = configMap('a');
  const common = { outlook: 'doubtful', container: 'app', reason: 'x', words } as const;
  const problem = problemFor({ ...common, code: 'reference-missing', missing, alsoMissing });
  expect(problem?.remedies).toMatchObject([
    { kind: 'create-object', object: configMap('a') },
    { kind: 'create-object', object: secret('b') },
  ]);
});

test('what the release applies later is to be applied earlier, and what it has applied is to be created again', () => {
  const settings = parseManifest('apiVersion: v1\nkind: Secret\nmetadata: {name: settings}\n', 'shop/templates/s.yaml');
  const missing = secret('settings');
  const cause = {
    outlook: 'doubtful',
    container: 'app',
    reason: 'x',
    words,
    code: 'reference-missing',
    missing,
  } as const;
  const later = { apiVersion: 'v1', kind: 'Secret', namespace: '', name: 'settings' };
  expect(problemFor(cause, [web, settings])?.remedies).toEqual([
    { kind: 'apply-earlier', object: later, neededBy: id },
  ]);
  expect(problemFor(cause, [settings, web])?.remedies).toMatchObject([{ kind: 'create-object', object: missing }]);
});
