import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configMap, deployment, pod, TestSandbox } from './support.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await TestSandbox.open();
});
afterEach(() => sandbox.sandbox.close());

const maps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

async function as(path: string, accept: string): Promise<Response> {
  return await fetch(sandbox.sandbox.url + path, { headers: { accept, ...sandbox.authorization } });
}

describe('discovery', () => {
  const aggregated =
    'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

  test('the aggregated document has kinds with their scope, verbs, short names and subresources', async () => {
    const response = await as('/apis', aggregated);
    expect(response.headers.get('content-type')).toBe(
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    );
    // biome-ignore lint/suspicious/noExplicitAny: read by path
    const { items } = (await response.json()) as any;
    const apps = items.find((group: { metadata: { name: string } }) => group.metadata.name === 'apps');
    const found = apps.versions[0].resources.find((each: { resource: string }) => each.resource === 'deployments');
    expect(found).toMatchObject({
      scope: 'Namespaced',
      singularResource: 'deployment',
      shortNames: ['deploy'],
      categories: ['all'],
    });
    expect(found.verbs).toContain('patch');
    expect(found.subresources.map((each: { subresource: string }) => each.subresource)).toEqual(['scale', 'status']);
  });

  test('the old lists are there for clients that ask for plain JSON', async () => {
    expect((await sandbox.get('/api')).body.versions).toEqual(['v1']);
    const { groups } = (await sandbox.get('/apis')).body;
    const autoscaling = groups.find((group: { name: string }) => group.name === 'autoscaling');
    expect(autoscaling.preferredVersion.version).toBe('v2');
    const { resources } = (await sandbox.get('/api/v1')).body;
    expect(resources.map((each: { name: string }) => each.name)).toEqual(
      expect.arrayContaining(['pods', 'pods/log', 'secrets']),
    );
  });

  test('OpenAPI tells that PATCH knows fieldValidation', async () => {
    const { paths } = (await sandbox.get('/openapi/v3')).body;
    const { serverRelativeURL } = paths['apis/apps/v1'];
    const document = (await sandbox.get(serverRelativeURL)).body;
    const { parameters } = document.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'].patch;
    expect(parameters.map((each: { name: string }) => each.name)).toContain('fieldValidation');
    expect((await as('/openapi/v2', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf')).status).toBe(200);
  });
});

describe('answers and bodies', () => {
  test('protobuf alone is not acceptable, protobuf or JSON is JSON', async () => {
    expect((await as(maps, 'application/vnd.kubernetes.protobuf')).status).toBe(406);
    const response = await as(maps, 'application/vnd.kubernetes.protobuf,application/json');
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  test('a protobuf body is read', async () => {
    // A Secret as client-go's typed client encodes it: name, data and type.
    const unknown = [
      Buffer.from('6b3873000a0c0a02763112065365637265741226', 'hex'),
      Buffer.from('0a0f0a0173120022002a0032003a00', 'hex'),
      Buffer.from('4200120b0a0161120668656c6c6f21', 'hex'),
      Buffer.from('1a064f7061717565', 'hex'),
    ];
    const response = await fetch(`${sandbox.sandbox.url}/api/v1/namespaces/default/secrets`, {
      method: 'POST',
      headers: { 'content-type': 'application/vnd.kubernetes.protobuf', ...sandbox.authorization },
      body: Buffer.concat(unknown),
    });
    expect(await response.json()).toMatchObject({
      kind: 'Secret',
      metadata: { name: 's' },
      data: { a: 'aGVsbG8h' },
      type: 'Opaque',
    });
  });

  test('an apply configuration may be YAML', async () => {
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: from-yaml\ndata:\n  a: "1"\n';
    const { code, body } = await sandbox.request(
      'PATCH',
      `${maps}/from-yaml?fieldManager=m`,
      yaml,
      'application/apply-patch+yaml',
    );
    expect([code, body.data]).toEqual([201, { a: '1' }]);
  });

  test.each([
    ['Name Data Age', maps, configMap('kept', { x: '1' }), ['kept', 1]],
    ['Name Ready Up-to-date Available Age', deployments, deployment('kept'), ['kept', '1/1', 1, 1]],
    ['Name Ready Status Restarts Age', '/api/v1/namespaces/default/pods', pod('kept'), ['kept', '1/1', 'Running', '0']],
  ])('a table has the columns %s', async (names, path, object, cells) => {
    await sandbox.post(path, object);
    await sandbox.elapse(1000);
    const response = await as(
      `${path}?fieldSelector=metadata.name%3Dkept`,
      'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
    );
    // biome-ignore lint/suspicious/noExplicitAny: read by path
    const table = (await response.json()) as any;
    const shown = table.columnDefinitions.filter((column: { priority: number }) => column.priority === 0);
    expect(shown.map((column: { name: string }) => column.name).join(' ')).toBe(names);
    expect(table.rows[0].cells.slice(0, cells.length)).toEqual(cells);
  });
});

describe('objects', () => {
  test('the generation counts changes of the specification only', async () => {
    await sandbox.post(deployments, deployment('web'));
    const generation = async (patch: object): Promise<number> =>
      (await sandbox.merge(`${deployments}/web`, patch)).body.metadata.generation;
    expect(await generation({ metadata: { labels: { a: 'b' } } })).toBe(1);
    expect(await generation({ spec: { replicas: 2 } })).toBe(2);
    expect(await generation({ status: { replicas: 7 } })).toBe(2);
    expect((await sandbox.get(`${deployments}/web`)).body.status.replicas).not.toBe(7);
  });

  test('a change that changes nothing keeps the resourceVersion', async () => {
    const first = (await sandbox.apply(`${maps}/a?fieldManager=m`, configMap('a', { x: '1' }))).body;
    sandbox.clock.advanceTo(sandbox.clock.now() + 5000);
    const second = (await sandbox.apply(`${maps}/a?fieldManager=m`, configMap('a', { x: '1' }))).body;
    expect(second).toEqual(first);
  });

  test('dryRun stores nothing', async () => {
    expect((await sandbox.post(`${maps}?dryRun=All`, configMap('a'))).code).toBe(201);
    expect((await sandbox.get(`${maps}/a`)).code).toBe(404);
    await sandbox.post(maps, configMap('b', { x: '1' }));
    expect(
      (await sandbox.apply(`${maps}/b?fieldManager=m&dryRun=All&force=true`, configMap('b', { x: '2' }))).body.data.x,
    ).toBe('2');
    await sandbox.request('DELETE', `${maps}/b?dryRun=All`);
    expect((await sandbox.get(`${maps}/b`)).body.data.x).toBe('1');
  });

  test('generateName makes names', async () => {
    const [one, two] = [
      await sandbox.post(maps, configMap('', {}, { generateName: 'x-' })),
      await sandbox.post(maps, configMap('', {}, { generateName: 'x-' })),
    ];
    expect(one.body.metadata.name).toMatch(/^x-[a-z0-9]{5}$/);
    expect(two.body.metadata.name).not.toBe(one.body.metadata.name);
  });

  test('lists come in pages', async () => {
    for (const name of ['a', 'b', 'c']) await sandbox.post(maps, configMap(name, {}, { labels: { mine: 'yes' } }));
    const names = (page: { body: { items: { metadata: { name: string } }[] } }): string[] =>
      page.body.items.map((item) => item.metadata.name);
    const first = await sandbox.get(`${maps}?labelSelector=mine&limit=2`);
    expect([names(first), first.body.metadata.remainingItemCount]).toEqual([['a', 'b'], 1]);
    const second = await sandbox.get(`${maps}?labelSelector=mine&limit=2&continue=${first.body.metadata.continue}`);
    expect([names(second), second.body.metadata.continue]).toEqual([['c'], undefined]);
  });

  test.each([
    ['app=a', ['one', 'two']],
    ['app==a,tier!=back', ['one']],
    ['tier in (back,front)', ['one', 'three', 'two']],
    ['tier notin (back)', ['one']],
    ['!app', ['three']],
    ['app', ['one', 'two']],
  ])('the label selector %s', async (selector, expected) => {
    await sandbox.post(maps, configMap('one', {}, { labels: { app: 'a', tier: 'front' } }));
    await sandbox.post(maps, configMap('two', {}, { labels: { app: 'a', tier: 'back' } }));
    await sandbox.post(maps, configMap('three', {}, { labels: { tier: 'back' } }));
    const { items } = (await sandbox.get(`${maps}?labelSelector=${encodeURIComponent(selector)}`)).body;
    const names = items.map((item: { metadata: { name: string } }) => item.metadata.name);
    expect(names.filter((name: string) => name !== 'kube-root-ca.crt')).toEqual(expected);
  });

  test('a label selector that cannot be parsed is refused', async () => {
    const { code, body } = await sandbox.get(`${maps}?labelSelector=${encodeURIComponent('app in (a b)')}`);
    expect(code).toBe(400);
    expect(body.message).toBe("unable to parse requirement: found 'b', expected: ',' or ')'");
  });
});

describe('what is denied', () => {
  const deny = [{ verb: 'list', resource: 'secrets', namespace: 'default' }];
  const user = 'system:serviceaccount:ci:deployer';
  let strict: TestSandbox;
  beforeEach(async () => {
    strict = await TestSandbox.open({ deny, user });
  });
  afterEach(() => strict.sandbox.close());

  test('is refused in the words of RBAC', async () => {
    expect((await strict.get('/api/v1/namespaces/default/secrets')).body).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: `secrets is forbidden: User "${user}" cannot list resource "secrets" in API group "" in the namespace "default"`,
    });
    expect((await strict.get('/api/v1/namespaces/kube-system/secrets')).code).toBe(200);
  });

  test('is what an access review answers', async () => {
    const review = (verb: string): Promise<{ body: { status: { allowed: boolean } } }> =>
      strict.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        spec: { resourceAttributes: { verb, resource: 'secrets', namespace: 'default' } },
      });
    expect([(await review('list')).body.status.allowed, (await review('get')).body.status.allowed]).toEqual([
      false,
      true,
    ]);
  });
});
