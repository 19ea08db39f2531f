import { expect, test } from 'vitest';
import type { Finding } from '../../src/cluster/diagnosis.ts';
import { faultyFields } from '../../src/execute/faulty-fields.ts';
import type { PlanObject } from '../../src/execute/plan-objects.ts';
import { parseManifest } from '../../src/manifest/parse.ts';

const objectOf = (text: string): PlanObject => parseManifest(text, 'shop/templates/a.yaml');
const web = objectOf(`apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: 3
  volumeClaimTemplates: [{metadata: {name: data}, spec: {storageClassName: fast}}, {}]
  template:
    spec:
      serviceAccountName: robot
      priorityClassName: urgent
      nodeSelector: {disk: ssd}
      imagePullSecrets: [{name: login}]
      volumes:
        - {name: a, configMap: {name: settings}}
        - {name: b, secret: {secretName: tls, items: [{key: crt, path: x}]}}
        - {name: c, persistentVolumeClaim: {claimName: lost}}
      initContainers:
        - name: init
          image: init:1
          volumeMounts: [{name: a, mountPath: /a}, {name: c, mountPath: /c, readOnly: true}]
      containers:
        - name: app
          image: app:1
          command: [run]
          env:
            - {name: A, valueFrom: {configMapKeyRef: {name: settings, key: mode}}}
            - {name: B, valueFrom: {secretKeyRef: {name: db, key: pass}}}
          envFrom: [{secretRef: {name: db}}]
          resources: {limits: {memory: 1Gi}, requests: {cpu: 12, memory: 1Gi}}
          securityContext: {readOnlyRootFilesystem: true, runAsNonRoot: true}
          livenessProbe: {httpGet: {path: /live, port: 80}, initialDelaySeconds: 5}
          readinessProbe: {httpGet: {path: /ready, port: 80}}
          startupProbe: {tcpSocket: {port: 80}}
        - name: side
          image: nginx:1.27
          resources: {limits: {cpu: 2}}
`);
const finding = (last: string, reason: string, hint?: string): Finding => ({
  resource: { apiVersion: 'apps/v1', kind: 'StatefulSet', namespace: 'default', name: 'web' },
  chain: ['StatefulSet/web', 'Pod/web-0', ...(last === '' ? [] : [last])],
  kind: 'container',
  outlook: 'doubtful',
  reason,
  hint,
  log: [],
  previousLog: [],
  events: [],
});
const pathsOf = (found: Finding, objects: readonly PlanObject[] = [web]): readonly string[] =>
  faultyFields(found, web, objects).map(({ path }) => path.join('.').replace('spec.template.spec.', ''));

const app = 'container app';
test.each<[string, string, readonly string[], string?]>([
  [app, 'ErrImagePull: "app:1": not found (no such tag or repository)', ['containers.0.image']],
  [
    'init container init',
    'ImagePullBackOff: x (the registry refuses the credentials (imagePullSecrets))',
    ['imagePullSecrets', 'initContainers.0.image'],
  ],
  [app, 'InvalidImageName: x', ['containers.0.image']],
  [
    app,
    "CreateContainerConfigError: couldn't find key mode in ConfigMap shop/settings",
    ['containers.0.env.0.valueFrom.configMapKeyRef.key'],
  ],
  [
    app,
    'CreateContainerConfigError: secret "db" not found',
    ['containers.0.env.1.valueFrom.secretKeyRef.name', 'containers.0.envFrom.0.secretRef.name'],
  ],
  [
    '',
    'FailedMount: configmap "settings" not found',
    ['volumes.0.configMap.name', 'containers.0.env.0.valueFrom.configMapKeyRef.name'],
  ],
  [
    '',
    'FailedMount: secret "tls" not found; also missing: key pass of Secret/db',
    ['volumes.1.secret.secretName', 'containers.0.env.1.valueFrom.secretKeyRef.key'],
  ],
  ['', 'FailedMount: references non-existent config key: crt', ['volumes.1.secret.items.0.key']],
  [app, 'CrashLoopBackOff (OOMKilled: memory limit 1Gi)', ['containers.0.resources.limits.memory']],
  [
    '',
    'Unschedulable: 3 Insufficient cpu (the pod requests cpu 12)',
    ['containers.0.resources.requests.cpu', 'containers.1.resources.limits.cpu'],
  ],
  ['', "Unschedulable: 3 node(s) didn't match Pod's node affinity/selector", ['nodeSelector']],
  ['', 'Unschedulable: 3 node(s) had untolerated taint {a: b}', []],
  [
    '',
    'its pods cannot be created: exceeded quota: q, requested: requests.memory=1Gi, used: 0, limited: 0',
    ['containers.0.resources.requests.memory', 'spec.replicas'],
  ],
  ['', 'its pods cannot be created: serviceaccount "robot" not found', ['serviceAccountName']],
  ['', 'its pods cannot be created: no PriorityClass with name urgent was found', ['priorityClassName']],
  ['', 'denied the request: container "side" uses image "nginx:1.27"', ['containers.1.image']],
  ['', 'denied the request: container "side" is not allowed', ['containers.1.name']],
  [
    app,
    'Error: killed after "Liveness probe failed: x" (initialDelaySeconds 5)',
    ['containers.0.livenessProbe.initialDelaySeconds'],
  ],
  [app, 'Error: killed after "Startup probe failed: x"', ['containers.0.startupProbe']],
  [
    app,
    'it runs but is not ready: Readiness probe failed: HTTP probe failed with statuscode: 404',
    ['containers.0.readinessProbe.httpGet.path'],
  ],
  [app, 'it runs: Readiness probe failed: dial tcp: connection refused', ['containers.0.readinessProbe.httpGet.port']],
  [app, 'it runs: Startup probe failed: dial tcp: connection refused', ['containers.0.startupProbe.tcpSocket.port']],
  [
    app,
    'CrashLoopBackOff (StartError: exec: "run": executable file not found in $PATH)',
    ['containers.0.command', 'containers.0.image'],
  ],
  [
    'init container init',
    'CrashLoopBackOff',
    ['initContainers.0.volumeMounts.1.readOnly'],
    'its volume c is mounted at /c with readOnly: true',
  ],
  [
    app,
    'CrashLoopBackOff',
    ['containers.0.securityContext.readOnlyRootFilesystem'],
    'readOnlyRootFilesystem is true, and no volume is mounted there',
  ],
  [app, 'CreateContainerConfigError: container has runAsNonRoot', ['containers.0.securityContext.runAsNonRoot']],
  [
    'PersistentVolumeClaim/data-web-0',
    'storageclass "fast" not found',
    ['spec.volumeClaimTemplates.0.spec.storageClassName'],
  ],
  [
    'PersistentVolumeClaim/lost',
    'it does not exist, and the pod mounts it',
    ['volumes.2.persistentVolumeClaim.claimName'],
  ],
  ['PersistentVolumeClaim/other', 'its volume is not bound', []],
  [app, 'CrashLoopBackOff', []],
])('%s: %s', (last, reason, paths, hint) => expect(pathsOf(finding(last, reason, hint))).toEqual(paths));

test('the class of a claim that the release has is in the claim', () => {
  const claim = objectOf(
    'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: lost}\nspec: {storageClassName: fast}\n',
  );
  const found = finding('PersistentVolumeClaim/lost', 'its volume is not bound: storageclass "fast" not found');
  expect(faultyFields(found, web, [web, claim])).toEqual([{ object: claim, path: ['spec', 'storageClassName'] }]);
});

test.each([
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n',
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: x, volumes: [1, null]}}}\n',
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {volumeClaimTemplates: [null], template: {spec: null}}\n',
])('what is no workload as Kubernetes has it has no such fields', (text) => {
  const one = objectOf(text);
  for (const [last, reason] of [
    [app, 'ErrImagePull'],
    ['', 'FailedMount: configmap "x" not found'],
    ['PersistentVolumeClaim/data-web-0', 'storageclass "fast" not found'],
    ['', 'Insufficient cpu'],
  ] as const)
    expect(faultyFields(finding(last, reason), one, [one])).toEqual([]);
});
