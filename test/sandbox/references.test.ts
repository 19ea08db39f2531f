import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configMap, pod, TestSandbox } from './support.ts';

const pods = '/api/v1/namespaces/default/pods';
const core = '/api/v1/namespaces/default';
const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await TestSandbox.open();
});
afterEach(() => sandbox.sandbox.close());

const secret = (name: string, data?: object) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, data });

async function stateOf(name: string) {
  const { status } = (await sandbox.get(`${pods}/${name}`)).body;
  const { items } = (await sandbox.get(`${core}/events?fieldSelector=involvedObject.name=${name},type=Warning`)).body;
  const [container] = status.containerStatuses;
  const isReady = status.conditions.some(
    (one: { type: string; status: string }) => one.type === 'Ready' && one.status === 'True',
  );
  return {
    isReady,
    waiting: container.state.waiting?.reason,
    message: container.state.waiting?.message,
    warnings: items.map((event: { reason: string; message: string }) => `${event.reason}: ${event.message}`),
  };
}

const envOf = (valueFrom: object) => ({ containers: [{ name: 'web', image: 'i', env: [{ name: 'A', valueFrom }] }] });
const envFrom = (source: object) => ({ containers: [{ name: 'web', image: 'i', envFrom: [source] }] });
const volume = (source: object) => ({ volumes: [{ name: 'v', ...source }] });

describe('what a container names and is not there: CreateContainerConfigError', () => {
  test.each<[string, object, string]>([
    ['a ConfigMap', envFrom({ configMapRef: { name: 'gone' } }), 'configmap "gone" not found'],
    ['a Secret', envFrom({ secretRef: { name: 'gone' } }), 'secret "gone" not found'],
    ['the object of a key', envOf({ secretKeyRef: { name: 'gone', key: 'k' } }), 'secret "gone" not found'],
    [
      'a key of a ConfigMap',
      envOf({ configMapKeyRef: { name: 'settings', key: 'absent' } }),
      "couldn't find key absent in ConfigMap default/settings",
    ],
    [
      'a key of a Secret',
      envOf({ secretKeyRef: { name: 'password', key: 'absent' } }),
      "couldn't find key absent in Secret default/password",
    ],
  ])('%s', async (_what, spec, message) => {
    await sandbox.post(`${core}/configmaps`, configMap('settings', { there: 'x' }));
    await sandbox.post(`${core}/secrets`, secret('password'));
    await sandbox.post(pods, pod('p', {}, spec));
    await sandbox.elapse(60_000);
    expect(await stateOf('p')).toEqual({
      isReady: false,
      waiting: 'CreateContainerConfigError',
      message,
      warnings: [`Failed: Error: ${message}`],
    });
  });

  test('an init container holds up the others', async () => {
    const spec = { initContainers: [{ name: 'init', image: 'i', envFrom: [{ secretRef: { name: 'gone' } }] }] };
    await sandbox.post(pods, pod('p', {}, spec));
    await sandbox.elapse(1000);
    const { status } = (await sandbox.get(`${pods}/p`)).body;
    expect(status.initContainerStatuses[0].state.waiting.reason).toBe('CreateContainerConfigError');
    expect(status.containerStatuses[0].state.waiting.reason).toBe('PodInitializing');
  });

  test('a container that would run as root although it must not', async () => {
    await sandbox.post(pods, pod('p', {}, { securityContext: { runAsNonRoot: true, runAsUser: 0 } }));
    await sandbox.elapse(1000);
    const { message } = await stateOf('p');
    expect(message).toMatch(
      /^container's runAsUser breaks non-root policy \(pod: "p_default\(.+\)", container: web\)$/,
    );
  });
});

describe('what a volume names and is not there: FailedMount', () => {
  const projected = (source: object) => volume({ projected: { sources: [source] } });

  test.each<[string, object, string]>([
    ['a ConfigMap', volume({ configMap: { name: 'gone' } }), 'configmap "gone" not found'],
    ['a Secret', volume({ secret: { secretName: 'gone' } }), 'secret "gone" not found'],
    [
      'a key of a ConfigMap',
      volume({ configMap: { name: 'settings', items: [{ key: 'absent', path: 'a' }] } }),
      'configmap references non-existent config key: absent',
    ],
    [
      'a key of a Secret',
      volume({ secret: { secretName: 'password', items: [{ key: 'absent', path: 'a' }] } }),
      'references non-existent secret key: absent',
    ],
    ['a projected Secret', projected({ secret: { name: 'gone' } }), 'secret "gone" not found'],
    [
      'a driver',
      volume({ csi: { driver: 'vault.example.com' } }),
      'kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name vault.example.com not found in the list of registered CSI drivers',
    ],
  ])('%s', async (_what, spec, message) => {
    await sandbox.post(`${core}/configmaps`, configMap('settings', { there: 'x' }));
    await sandbox.post(`${core}/secrets`, secret('password'));
    await sandbox.post(pods, pod('p', {}, spec));
    await sandbox.elapse(60_000);
    expect(await stateOf('p')).toEqual({
      isReady: false,
      waiting: 'ContainerCreating',
      message: undefined,
      warnings: [`FailedMount: MountVolume.SetUp failed for volume "v" : ${message}`],
    });
  });
});

test.each<[string, object]>([
  ['optional environment', envFrom({ configMapRef: { name: 'gone', optional: true } })],
  ['optional key', envOf({ secretKeyRef: { name: 'gone', key: 'k', optional: true } })],
  ['optional volume', volume({ secret: { secretName: 'gone', optional: true } })],
  ['the certificate of the cluster', volume({ configMap: { name: 'kube-root-ca.crt' } })],
  ['a missing pull secret', { imagePullSecrets: [{ name: 'gone' }] }],
])('%s holds nobody up', async (_what, spec) => {
  await sandbox.elapse(10);
  await sandbox.post(pods, pod('p', {}, spec));
  await sandbox.elapse(1000);
  expect((await stateOf('p')).isReady).toBe(true);
});

test('of a missing pull secret the kubelet tells', async () => {
  await sandbox.post(pods, pod('pulls', {}, { imagePullSecrets: [{ name: 'gone' }, { name: 'away' }] }));
  await sandbox.elapse(1000);
  const { items } = (await sandbox.get(`${core}/events?fieldSelector=involvedObject.name=pulls,type=Warning`)).body;
  // kubelet_pods.go, getPullSecretsForPod, of v1.36.3
  expect(items.map(({ reason, message }: { reason: string; message: string }) => [reason, message])).toEqual([
    [
      'FailedToRetrieveImagePullSecret',
      'Unable to retrieve some image pull secrets (gone, away); attempting to pull the image may not succeed.',
    ],
  ]);
});

test('a pod goes on when what it waits for comes', async () => {
  await sandbox.post(pods, pod('mounts', {}, volume({ configMap: { name: 'late' } })));
  await sandbox.post(pods, pod('reads', {}, envFrom({ configMapRef: { name: 'late' } })));
  await sandbox.elapse(60_000);
  expect((await stateOf('mounts')).isReady).toBe(false);
  await sandbox.post(`${core}/configmaps`, configMap('late'));
  await sandbox.elapse(500);
  expect((await stateOf('mounts')).isReady).toBe(true);
  expect((await stateOf('reads')).isReady).toBe(true);
  await sandbox.delete(`${core}/configmaps/late`);
  await sandbox.elapse(5000);
  expect((await stateOf('reads')).isReady).toBe(true);
});

test.each(['readinessProbe', 'startupProbe'])('a %s of a port that has no such name never answers', async (kind) => {
  const container = { name: 'web', image: 'i', ports: [{ containerPort: 80, name: 'web' }] };
  const spec = { containers: [{ ...container, [kind]: { httpGet: { port: 'http', path: '/' } } }] };
  await sandbox.post(pods, pod('p', {}, spec));
  await sandbox.elapse(60_000);
  const { isReady, warnings } = await stateOf('p');
  expect(isReady).toBe(false);
  expect(warnings).toEqual([
    `Unhealthy: ${kind === 'startupProbe' ? 'Startup' : 'Readiness'} probe errored and resulted in unknown state: strconv.Atoi: parsing "http": invalid syntax`,
  ]);
});

describe('what programs make', () => {
  const may = (verbs: string[]) => ({ rules: [{ apiGroups: [''], resources: ['secrets'], verbs }] });
  const role = (verbs: string[]) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'r' },
    ...may(verbs),
  });
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'r' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
    subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
  };

  test.each([
    [['create'], true],
    [['get', 'list'], false],
  ])('a program that ran and may %j Secrets is taken to have made one: %s', async (verbs, isMade) => {
    await sandbox.post(`${rbac}/roles`, role(verbs));
    await sandbox.post(`${rbac}/rolebindings`, binding);
    await sandbox.post(pods, pod('makes', {}, { restartPolicy: 'Never' }));
    await sandbox.post(
      pods,
      pod('needs', {}, volume({ secret: { secretName: 'certificate', items: [{ key: 'tls.crt', path: 'a' }] } })),
    );
    await sandbox.elapse(2000);
    expect((await stateOf('needs')).isReady).toBe(isMade);
    expect((await sandbox.get(`${core}/secrets/certificate`)).code).toBe(isMade ? 200 : 404);
  });

  test('a custom resource that names a Secret has an operator that makes it', async () => {
    const spec = {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Certificate', plural: 'certificates', singular: 'certificate', listKind: 'CertificateList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    };
    await sandbox.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'certificates.example.com' },
      spec,
    });
    await sandbox.elapse(100);
    await sandbox.post(pods, pod('p', {}, volume({ secret: { secretName: 'web-tls' } })));
    await sandbox.elapse(1000);
    expect((await stateOf('p')).isReady).toBe(false);
    const certificate = {
      apiVersion: 'example.com/v1',
      kind: 'Certificate',
      metadata: { name: 'c' },
      spec: { secretName: 'web-tls' },
    };
    await sandbox.post('/apis/example.com/v1/namespaces/default/certificates', certificate);
    await sandbox.elapse(1000);
    expect((await stateOf('p')).isReady).toBe(true);
  });
});
