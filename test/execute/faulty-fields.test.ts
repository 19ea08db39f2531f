import { expect, test } from 'vitest';
import { faultyFields } from '../../src/execute/faulty-fields.ts';
import type { PlanObject } from '../../src/execute/plan-objects.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import { Quote } from '../../src/problem/quote.ts';
import type { ProbeFailure, ProbeKind, WorkloadFact } from '../../src/problem/workload-fact.ts';

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
const pathsOf = (fact: WorkloadFact, objects: readonly PlanObject[] = [web]): readonly string[] =>
  faultyFields(fact, web, objects).map(({ path }) => path.join('.').replace('spec.template.spec.', ''));

const words = new Quote('x');
const app = { outlook: 'doubtful', container: 'app', reason: 'x', words, image: 'x' } as const;
const init = { ...app, container: 'init' } as const;
const pod = { outlook: 'doubtful', reason: 'x', words } as const;
const unplaced = { ...pod, code: 'pod-unschedulable', obstacles: [], lacking: [] } as const;
const probe = (kind: ProbeKind, answer: ProbeFailure['answer'], status?: number): ProbeFailure => ({
  kind,
  answer,
  words,
  ...(status !== undefined && { status }),
});
test('resources that a quota asks for: the containers that say nothing of them first', () => {
  const refused = { outlook: 'never', code: 'resources-unspecified', words } as const;
  expect(pathsOf(refused)).toEqual(['initContainers.0.resources', 'containers.0.resources', 'containers.1.resources']);
});

const secret = (name: string, key?: string) => ({ kind: 'Secret', name, key }) as const;
const configMap = (name?: string, key?: string) => ({ kind: 'ConfigMap', name, key }) as const;

test.each<[WorkloadFact, readonly string[]]>([
  [{ ...app, code: 'image-not-found' }, ['containers.0.image']],
  [{ ...init, code: 'image-denied' }, ['imagePullSecrets', 'initContainers.0.image']],
  [{ ...app, code: 'image-name-invalid' }, ['containers.0.image']],
  [{ ...pod, code: 'pull-secret-missing', secret: 'login', image: 'x' }, ['imagePullSecrets.0.name']],
  [
    { ...app, code: 'reference-missing', missing: configMap('settings', 'mode') },
    ['containers.0.env.0.valueFrom.configMapKeyRef.key'],
  ],
  [
    { ...app, code: 'reference-missing', missing: secret('db') },
    ['containers.0.env.1.valueFrom.secretKeyRef.name', 'containers.0.envFrom.0.secretRef.name'],
  ],
  [
    { ...pod, code: 'reference-missing', missing: configMap('settings') },
    ['volumes.0.configMap.name', 'containers.0.env.0.valueFrom.configMapKeyRef.name'],
  ],
  [
    { ...pod, code: 'reference-missing', missing: secret('tls'), alsoMissing: [secret('db', 'pass')] },
    ['volumes.1.secret.secretName', 'containers.0.env.1.valueFrom.secretKeyRef.key'],
  ],
  [{ ...pod, code: 'reference-missing', missing: configMap(undefined, 'crt') }, ['volumes.1.secret.items.0.key']],
  [{ ...app, code: 'out-of-memory' }, ['containers.0.resources.limits.memory']],
  [
    { ...unplaced, lacking: [{ resource: 'cpu', requested: ['12'] }] },
    ['containers.0.resources.requests.cpu', 'containers.1.resources.limits.cpu'],
  ],
  [{ ...unplaced, obstacles: ['node-selector'] }, ['nodeSelector']],
  [{ ...unplaced, obstacles: ['taint'] }, []],
  [
    { ...pod, code: 'pods-exceed-quota', quota: 'q', resource: { name: 'memory', of: 'requests' } },
    ['containers.0.resources.requests.memory', 'spec.replicas'],
  ],
  [{ ...pod, code: 'service-account-missing', name: 'robot' }, ['serviceAccountName']],
  [{ ...pod, code: 'priority-class-missing', name: 'urgent' }, ['priorityClassName']],
  [{ ...pod, code: 'pods-refused', names: ['side', 'nginx:1.27'] }, ['containers.1.image']],
  [{ ...pod, code: 'pods-refused', names: ['side'] }, ['containers.1.name']],
  [
    { ...app, code: 'killed-by-probe', probe: probe('liveness', 'other') },
    ['containers.0.livenessProbe.initialDelaySeconds'],
  ],
  [{ ...app, code: 'killed-by-probe', probe: probe('startup', 'other') }, ['containers.0.startupProbe']],
  [
    { ...app, code: 'probe-failed', failures: 3, probe: probe('readiness', 'status', 404) },
    ['containers.0.readinessProbe.httpGet.path'],
  ],
  [{ ...app, code: 'probe-failed', failures: 3, probe: probe('readiness', 'status', 503) }, []],
  [
    { ...app, code: 'probe-failed', failures: 3, probe: probe('readiness', 'connection-refused') },
    ['containers.0.readinessProbe.httpGet.port'],
  ],
  [
    { ...app, code: 'probe-failed', failures: 3, probe: probe('startup', 'connection-refused') },
    ['containers.0.startupProbe.tcpSocket.port'],
  ],
  [{ ...app, code: 'program-not-started' }, ['containers.0.command', 'containers.0.image']],
  [{ ...app, code: 'root-refused' }, ['containers.0.securityContext.runAsNonRoot']],
  [{ ...pod, code: 'claim-not-bound', claim: 'data-web-0' }, ['spec.volumeClaimTemplates.0.spec.storageClassName']],
  [{ ...pod, code: 'claim-missing', claim: 'lost' }, ['volumes.2.persistentVolumeClaim.claimName']],
  [{ ...pod, code: 'claim-not-bound', claim: 'other' }, []],
  [{ ...app, code: 'program-ended' }, []],
])('%j', (fact, paths) => expect(pathsOf(fact)).toEqual(paths));

test('the class of a claim that the release has is in the claim', () => {
  const claim = objectOf(
    'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: lost}\nspec: {storageClassName: fast}\n',
  );
  const found = { ...pod, code: 'storage-class-missing', claim: 'lost', storageClass: 'fast' } as const;
  expect(faultyFields(found, web, [web, claim])).toEqual([{ object: claim, path: ['spec', 'storageClassName'] }]);
});

test.each([
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n',
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: x, volumes: [1, null]}}}\n',
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {volumeClaimTemplates: [null], template: {spec: null}}\n',
])('what is no workload as Kubernetes has it has no such fields', (text) => {
  const one = objectOf(text);
  for (const fact of [
    { ...app, code: 'image-not-found' },
    { ...pod, code: 'reference-missing', missing: configMap('x') },
    { ...pod, code: 'claim-not-bound', claim: 'data-web-0' },
    { ...unplaced, lacking: [{ resource: 'cpu', requested: [] }] },
  ] as const)
    expect(faultyFields(fact, one, [one])).toEqual([]);
});
