import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '../../../src/manifest/types.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A chart whose fault is in the API's objects. */
export interface BrokenChart {
  readonly name: string;
  /** Who finds the fault. The control plane of the tests has no kubelet. */
  readonly by: 'kubelet' | 'api' | 'scheduler' | 'controller';
  /** The code of the problem that a deploy fails with. */
  readonly code: string;
  readonly objects: readonly KubernetesObject[];
}

const object = (apiVersion: string, kind: string, name: string, content: Fields): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name },
  ...content,
});

const settings = [
  object('v1', 'ConfigMap', 'settings', { data: { mode: 'fast' } }),
  object('v1', 'Secret', 'password', { stringData: { token: 'x' } }),
];

type Kind = 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'Job' | 'Pod';

/** A workload around a pod; `container` and `pod` are what is wrong with it. */
function workload(kind: Kind, container: Fields, pod: Fields = {}, more: Fields = {}): KubernetesObject {
  const spec = { containers: [{ name: 'web', image: 'web:1', ...container }], ...pod };
  const template = { metadata: { labels: { app: 'web' } }, spec };
  const selector = { matchLabels: { app: 'web' } };
  if (kind === 'Pod') return object('v1', kind, 'web', { spec });
  if (kind === 'Job')
    return object('batch/v1', kind, 'web', { spec: { template: { spec: { restartPolicy: 'Never', ...spec } } } });
  const service = kind === 'StatefulSet' ? { serviceName: 'web' } : {};
  return object('apps/v1', kind, 'web', { spec: { selector, template, ...service, ...more } });
}

const env = (valueFrom: Fields): Fields => ({ env: [{ name: 'A', valueFrom }] });
const volume = (source: Fields): Fields => ({ volumes: [{ name: 'v', ...source }] });
const projected = (source: Fields): Fields => volume({ projected: { sources: [source] } });
const asks = (requests: Fields, limits?: Fields): Fields => ({ resources: { requests, limits } });
const init = (container: Fields): Fields => ({ initContainers: [{ name: 'init', image: 'init:1', ...container }] });
const missing = { configMapRef: { name: 'gone' } };
const items = [{ key: 'absent', path: 'a' }];
const mounts = (claimName: string): Fields => volume({ persistentVolumeClaim: { claimName } });
const claim = (spec: Fields, storage = '1Gi'): KubernetesObject =>
  object('v1', 'PersistentVolumeClaim', 'data', {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec },
  });
const quota = (hard: Fields): KubernetesObject => object('v1', 'ResourceQuota', 'small', { spec: { hard } });
const limits = (limit: Fields): KubernetesObject =>
  object('v1', 'LimitRange', 'limits', { spec: { limits: [{ type: 'Container', ...limit }] } });
const local = object('storage.k8s.io/v1', 'StorageClass', 'broken-local', {
  provisioner: 'kubernetes.io/no-provisioner',
  volumeBindingMode: 'WaitForFirstConsumer',
});
const required = (terms: unknown): Fields => ({ requiredDuringSchedulingIgnoredDuringExecution: terms });
const expression = { key: 'disk', operator: 'In', values: ['ssd'] };
const near = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'other' } } };
const spread = { maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} };
const named = (kind: string, probe: Fields): Fields => ({ ports: [{ name: 'web', containerPort: 80 }], [kind]: probe });
const root = { securityContext: { runAsNonRoot: true, runAsUser: 0 } };

type Row = readonly [name: string, code: string, ...objects: KubernetesObject[]];

const rows: Readonly<Record<BrokenChart['by'], readonly Row[]>> = {
  kubelet: [
    ['envFrom: ConfigMap', 'reference-missing', workload('Deployment', { envFrom: [missing] })],
    ['envFrom: Secret', 'reference-missing', workload('Deployment', { envFrom: [{ secretRef: { name: 'gone' } }] })],
    [
      'env: ConfigMap',
      'reference-missing',
      workload('Deployment', env({ configMapKeyRef: { name: 'gone', key: 'a' } })),
    ],
    ['env: Secret', 'reference-missing', workload('Deployment', env({ secretKeyRef: { name: 'gone', key: 'a' } }))],
    [
      'env: key of a ConfigMap',
      'reference-missing',
      workload('Deployment', env({ configMapKeyRef: { name: 'settings', key: 'absent' } })),
    ],
    [
      'env: key of a Secret',
      'reference-missing',
      workload('Deployment', env({ secretKeyRef: { name: 'password', key: 'absent' } })),
    ],
    ['volume: ConfigMap', 'reference-missing', workload('Deployment', {}, volume({ configMap: { name: 'gone' } }))],
    ['volume: Secret', 'reference-missing', workload('Deployment', {}, volume({ secret: { secretName: 'gone' } }))],
    [
      'volume: key of a ConfigMap',
      'reference-missing',
      workload('Deployment', {}, volume({ configMap: { name: 'settings', items } })),
    ],
    [
      'volume: key of a Secret',
      'reference-missing',
      workload('Deployment', {}, volume({ secret: { secretName: 'password', items } })),
    ],
    [
      'projected: ConfigMap',
      'reference-missing',
      workload('Deployment', {}, projected({ configMap: { name: 'gone' } })),
    ],
    ['projected: Secret', 'reference-missing', workload('Deployment', {}, projected({ secret: { name: 'gone' } }))],
    [
      'projected: key',
      'reference-missing',
      workload('Deployment', {}, projected({ secret: { name: 'password', items } })),
    ],
    ['volume: CSI driver', 'mount-failed', workload('Deployment', {}, volume({ csi: { driver: 'gone.example.com' } }))],
    ['init container: envFrom', 'reference-missing', workload('Deployment', {}, init({ envFrom: [missing] }))],
    [
      'init container: key',
      'reference-missing',
      workload('Deployment', {}, init(env({ secretKeyRef: { name: 'password', key: 'absent' } }))),
    ],
    ['StatefulSet: envFrom', 'reference-missing', workload('StatefulSet', { envFrom: [missing] })],
    [
      'StatefulSet: volume',
      'reference-missing',
      workload('StatefulSet', {}, volume({ secret: { secretName: 'gone' } })),
    ],
    ['DaemonSet: envFrom', 'reference-missing', workload('DaemonSet', { envFrom: [missing] })],
    ['DaemonSet: volume', 'reference-missing', workload('DaemonSet', {}, volume({ configMap: { name: 'gone' } }))],
    ['Job: envFrom', 'reference-missing', workload('Job', { envFrom: [missing] })],
    ['Job: volume', 'reference-missing', workload('Job', {}, volume({ configMap: { name: 'gone' } }))],
    ['Pod: envFrom', 'reference-missing', workload('Pod', { envFrom: [missing] })],
    ['Pod: volume', 'reference-missing', workload('Pod', {}, volume({ secret: { secretName: 'gone' } }))],
    ['a container runs as root', 'root-refused', workload('Deployment', root)],
    ['a pod runs as root', 'root-refused', workload('Deployment', {}, root)],
    [
      'readiness probe: name of a port',
      'probe-failed',
      workload('Deployment', named('readinessProbe', { httpGet: { port: 'http' } })),
    ],
    [
      'readiness probe: name of a TCP port',
      'probe-failed',
      workload('Deployment', named('readinessProbe', { tcpSocket: { port: 'http' } })),
    ],
    [
      'startup probe: name of a port',
      'probe-failed',
      workload('StatefulSet', named('startupProbe', { httpGet: { port: 'http' } })),
    ],
  ],
  api: [
    [
      'service account: Deployment',
      'service-account-missing',
      workload('Deployment', {}, { serviceAccountName: 'gone' }),
    ],
    [
      'service account: StatefulSet',
      'service-account-missing',
      workload('StatefulSet', {}, { serviceAccountName: 'gone' }),
    ],
    [
      'service account: DaemonSet',
      'service-account-missing',
      workload('DaemonSet', {}, { serviceAccountName: 'gone' }),
    ],
    ['service account: Job', 'service-account-missing', workload('Job', {}, { serviceAccountName: 'gone' })],
    ['priority class: Deployment', 'priority-class-missing', workload('Deployment', {}, { priorityClassName: 'gone' })],
    [
      'priority class: StatefulSet',
      'priority-class-missing',
      workload('StatefulSet', {}, { priorityClassName: 'gone' }),
    ],
    ['runtime class', 'pods-refused', workload('Deployment', {}, { runtimeClassName: 'gone' })],
    ['quota: pods', 'pods-exceed-quota', quota({ pods: '0' }), workload('Deployment', {})],
    [
      'quota: processor',
      'pods-exceed-quota',
      quota({ 'requests.cpu': '1' }),
      workload('Deployment', asks({ cpu: '2' })),
    ],
    [
      'quota: memory of a StatefulSet',
      'pods-exceed-quota',
      quota({ 'limits.memory': '1Gi' }),
      workload('StatefulSet', asks({}, { memory: '2Gi' })),
    ],
    [
      'quota: nothing is asked for',
      'resources-unspecified',
      quota({ 'requests.cpu': '1' }),
      workload('Deployment', {}),
    ],
    [
      'quota: limits are not said',
      'resources-unspecified',
      quota({ 'limits.memory': '1Gi' }),
      workload('DaemonSet', {}),
    ],
    ['limits: maximum', 'pods-refused', limits({ max: { cpu: '1' } }), workload('Deployment', asks({}, { cpu: '2' }))],
    [
      'limits: minimum',
      'pods-refused',
      limits({ min: { memory: '1Gi' } }),
      workload('StatefulSet', asks({ memory: '1Mi' })),
    ],
    [
      'limits: ratio',
      'pods-refused',
      limits({ maxLimitRequestRatio: { cpu: '2' } }),
      workload('Deployment', asks({ cpu: '1' }, { cpu: '3' })),
    ],
  ],
  scheduler: [
    ['processors', 'pod-unschedulable', workload('Deployment', asks({ cpu: '6400' }))],
    ['memory', 'pod-unschedulable', workload('StatefulSet', asks({ memory: '64Ti' }))],
    ['a device', 'pod-unschedulable', workload('Deployment', asks({}, { 'nvidia.com/gpu': '1' }))],
    ['processors of an init container', 'pod-unschedulable', workload('Deployment', {}, init(asks({ cpu: '6400' })))],
    ['processors of a DaemonSet', 'pod-unschedulable', workload('DaemonSet', asks({ cpu: '6400' }))],
    ['node selector', 'pod-unschedulable', workload('Deployment', {}, { nodeSelector: { disk: 'ssd' } })],
    ['node selector of a Job', 'pod-unschedulable', workload('Job', {}, { nodeSelector: { disk: 'ssd' } })],
    [
      'node affinity',
      'pod-unschedulable',
      workload(
        'Deployment',
        {},
        { affinity: { nodeAffinity: required({ nodeSelectorTerms: [{ matchExpressions: [expression] }] }) } },
      ),
    ],
    ['pod affinity', 'pod-unschedulable', workload('Deployment', {}, { affinity: { podAffinity: required([near]) } })],
    ['topology spread', 'pod-unschedulable', workload('Deployment', {}, { topologySpreadConstraints: [spread] })],
    ['a claim that is not there', 'claim-missing', workload('Deployment', {}, mounts('gone'))],
    ['another scheduler', 'pod-pending', workload('Deployment', {}, { schedulerName: 'gone' })],
    ['a node that is not there', 'pod-pending', workload('StatefulSet', {}, { nodeName: 'gone' })],
    ['a gate', 'pod-unschedulable', workload('Deployment', {}, { schedulingGates: [{ name: 'example.com/gate' }] })],
    [
      'a claim of devices that is not there',
      'pod-pending',
      workload('Deployment', {}, { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gone' }] }),
    ],
  ],
  controller: [
    [
      'claim: unknown class',
      'storage-class-missing',
      claim({ storageClassName: 'gone' }),
      workload('Deployment', {}, mounts('data')),
    ],
    ['claim: unknown class, of nobody', 'storage-class-missing', claim({ storageClassName: 'gone' })],
    ['claim: no class', 'claim-not-bound', claim({ storageClassName: '' }), workload('Deployment', {}, mounts('data'))],
    ['claim: a volume that is not there', 'claim-not-bound', claim({ storageClassName: '', volumeName: 'gone' })],
    [
      'claim: local volumes',
      'claim-not-bound',
      local,
      claim({ storageClassName: 'broken-local' }),
      workload('Deployment', {}, mounts('data')),
    ],
    [
      'claim of a StatefulSet: unknown class',
      'storage-class-missing',
      workload('StatefulSet', {}, {}, { volumeClaimTemplates: [claim({ storageClassName: 'gone' })] }),
    ],
  ],
};

/** Every chart of the table. */
export const brokenCharts: readonly BrokenChart[] = (Object.keys(rows) as BrokenChart['by'][]).flatMap((by) =>
  rows[by].map(([name, code, ...objects]) => ({ name, by, code, objects: [...settings, ...objects] })),
);

/** Writes the chart into a folder of its own below `directory`, and returns the folder. */
export function writeBrokenChart(directory: string, { name, objects }: BrokenChart): string {
  const chart = join(directory, name.replaceAll(/\W+/g, '-'));
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: broken\nversion: 0.1.0\n');
  writeFileSync(join(chart, 'templates/all.yaml'), objects.map((each) => JSON.stringify(each)).join('\n---\n'));
  return chart;
}
