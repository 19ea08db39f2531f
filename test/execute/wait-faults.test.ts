import { expect, test } from 'vitest';
import type { Finding } from '../../src/cluster/diagnosis.ts';
import { withNearNames } from '../../src/execute/near-names.ts';
import type { PlanObject } from '../../src/execute/plan-objects.ts';
import { waitFaults } from '../../src/execute/wait-faults.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import { shown } from '../problem/shown.ts';

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
const broker = parseManifest(
  'apiVersion: v1\nkind: Service\nmetadata: {name: the-broker}\n',
  'shop/charts/queue/templates/service.yaml',
);
const faultOf = (container: string, more: Partial<Finding>, objects: readonly PlanObject[] = [web]) => {
  const finding: Finding = {
    resource: id,
    chain: ['Deployment/web', 'Pod/web-1', container],
    kind: 'container',
    outlook: 'doubtful',
    reason: '',
    log: [],
    previousLog: [],
    events: [],
    ...more,
  };
  const one = { id, state: 'waiting', status: 'InProgress', unmet: '', reason: 'x', line: 'x' } as const;
  const [fault] = waitFaults([{ one, found: [withNearNames(finding, objects)], said: '' }], objects, (text) => text);
  return shown(fault);
};

const refused =
  'ImagePullBackOff: failed to pull and unpack image "r.example.com/app:1": 401 (the registry refuses the credentials (imagePullSecrets))';

test.each([
  ['that is missing', 'Secret/login', 'Secret/login'],
  ['that is missing beside another', 'Secret/settings, Secret/login', 'Secret/login'],
  ['of the ServiceAccount', 'Secret/robot', 'Secret/robot'],
])('a Secret with credentials %s is the cause, and the refusal its symptom', (_what, missing, named) => {
  const fault = faultOf('container app', { reason: `${refused}; also missing: ${missing}` });
  expect(fault?.problem).toBe(`${named} does not exist, so the registry refuses r.example.com/app:1`);
  expect(fault?.symptom).toBe(`container app: ${refused}`);
});

test('another Secret that is missing is not blamed for a refusal', () => {
  const reason = `${refused}; also missing: Secret/settings`;
  expect(faultOf('container app', { reason })).toMatchObject({ problem: `container app: ${reason}` });
  expect(faultOf('container app', { reason })?.symptom).toBeUndefined();
});

test('who waits for a host gets the Service of the subchart that it is called after, and where that has its name', () => {
  const log = ["** server can't find x-queue: NXDOMAIN"];
  const fault = faultOf('init container wait', { kind: 'probe', reason: 'it has not ended yet', log }, [web, broker]);
  expect(fault?.problem).toBe(
    'init container wait: it has not ended yet; it looks for the host x-queue, and the release has no Service of that name',
  );
  expect(fault?.fixes).toEqual([
    'no Service x-queue, but the release has Service/the-broker (shop/charts/queue/templates/service.yaml): did you mean it?',
  ]);
  expect(fault?.fields?.map(({ path, object }) => [object.name, path.join('.')])).toEqual([
    ['the-broker', 'metadata.name'],
  ]);
});

test('who waits for a host of another world waits for no Service', () => {
  const log = ["** server can't find api.example.com: NXDOMAIN"];
  const fault = faultOf('init container wait', { kind: 'probe', reason: 'it has not ended yet', log }, [web, broker]);
  expect(fault?.problem).toBe('init container wait: it has not ended yet');
  expect(fault?.fixes).toEqual([
    "the cluster's DNS does not know api.example.com: correct the name, or make it known there",
  ]);
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
  const fixesOf = (missing: string) =>
    faultOf('container app', { reason: `CreateContainerConfigError: ${missing} not found` }, [pods])?.fixes;
  const end = ' in namespace shop, or name one that exists';
  expect(fixesOf('secret "dns"')).toEqual([`create Secret/dns with the keys apiToken, zone${end}`]);
  expect(fixesOf('configmap "dns"')).toEqual([`create ConfigMap/dns with the key level${end}`]);
  expect(fixesOf('secret "tls"')).toEqual([`create Secret/tls with the key tls.crt${end}`]);
  expect(fixesOf('secret "all"')).toEqual([`create Secret/all${end}`]);
});

test('a program that answers its probe with an error has its whole log named', () => {
  const reason =
    'it runs but is not ready: Readiness probe failed: HTTP probe failed with statuscode: 503 (GET :8080/up)';
  const fault = faultOf('container app', { kind: 'probe', outlook: 'open', reason, log: ['listening'] });
  expect(fault?.fixes).toEqual(['the program itself answers 503: look in its log for what it waits for']);
  expect(fault?.fields).toEqual([]);
  expect(fault?.command).toBe('kubectl logs web-1 -n shop -c app');
});

test('what else is missing is to be created, too', () => {
  const reason = 'CreateContainerConfigError: configmap "a" not found; also missing: Secret/b, key c of Secret/d';
  expect(faultOf('container app', { reason })?.fixes).toEqual([
    'create ConfigMap/a in namespace shop, or name one that exists',
    'create Secret/b in namespace shop, or name one that exists',
  ]);
});
