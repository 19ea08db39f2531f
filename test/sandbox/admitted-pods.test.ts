import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestSandbox } from './support.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await TestSandbox.open();
});
afterEach(() => sandbox.sandbox.close());

const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
  },
};

/** The messages of the events that say why a ReplicaSet makes no pods. */
async function failures(namespace: string): Promise<string[]> {
  const { body } = await sandbox.get(`/api/v1/namespaces/${namespace}/events?fieldSelector=reason%3DFailedCreate`);
  return (body as { items: { message: string }[] }).items.map(({ message }) => message);
}

test('a Pod Security level keeps pods out until the namespace has another', async () => {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'strict', labels } };
  await sandbox.post('/api/v1/namespaces', namespace);
  await sandbox.elapse(10);
  await sandbox.post('/apis/apps/v1/namespaces/strict/deployments', web);
  await sandbox.elapse(10);
  const [failure] = await failures('strict');
  expect(failure).toMatch(
    /^Error creating: pods "web-\w+-\w+" is forbidden: violates PodSecurity "restricted:latest": /,
  );
  await sandbox.merge('/api/v1/namespaces/strict', {
    metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } },
  });
  await sandbox.elapse(5_000);
  const { body } = await sandbox.get('/apis/apps/v1/namespaces/strict/deployments/web');
  expect((body as typeof web & { status: object }).status).toMatchObject({ readyReplicas: 1 });
});

test('a policy keeps the pods of a controller out, and is not judged where it asks the authorizer', async () => {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
  const policy = (name: string, expression: string) => ({
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression, message: 'no images by name' }] },
  });
  const binding = (name: string) => ({
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  });
  for (const [name, expression] of [
    ['digests', "object.spec.containers.all(c, c.image.contains('@'))"],
    ['rights', "authorizer.group('').resource('pods').check('create').allowed()"],
  ] as const) {
    await sandbox.post(`/apis/${apiVersion}/validatingadmissionpolicies`, policy(name, expression));
    await sandbox.post(`/apis/${apiVersion}/validatingadmissionpolicybindings`, binding(name));
  }
  await sandbox.post('/apis/apps/v1/namespaces/default/deployments', web);
  await sandbox.elapse(10);
  const [failure] = await failures('default');
  expect(failure).toMatch(
    /^Error creating: pods "web-\w+-\w+" is forbidden: ValidatingAdmissionPolicy 'digests' with binding 'digests' denied request: no images by name$/,
  );
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'nginx@sha256:0' }] },
  };
  const { code, warnings } = await sandbox.post('/api/v1/namespaces/default/pods', pod);
  expect({ code, warnings }).toEqual({ code: 201, warnings: expect.stringContaining('the sandbox has no authorizer') });
});
