import { describe, expect, test } from 'vitest';
import { templateChart } from '../../../src/actions/template.ts';
import { clusterCapabilities, clusterLookup } from '../../../src/change/rendering/cluster-view.ts';
import { prepareForRelease, renderForRelease } from '../../../src/change/rendering/render.ts';
import { writeJson } from '../../../src/go/json/json.ts';
import { FakeCluster } from '../../cluster/fake-cluster.ts';
import { chartOf } from '../../render/chart-text.ts';

function clusterWithSecret(): FakeCluster {
  const cluster = new FakeCluster({ namespace: 'ns' });
  cluster.add({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', namespace: 'ns' },
    data: { a: 'b' },
    size: 3,
  });
  return cluster;
}

test('the capabilities of a cluster', async () => {
  const { kubeVersion, apiVersions } = await clusterCapabilities(clusterWithSecret());
  expect(kubeVersion).toEqual({ version: 'v1.36.0', normalized: '', major: '1', minor: '36' });
  expect(apiVersions).toEqual(expect.arrayContaining(['v1', 'v1/Secret', 'apps/v1', 'apps/v1/Deployment']));
});

describe('lookup', () => {
  const lookup = clusterLookup(clusterWithSecret());

  test('an object, its whole numbers as int64', async () => {
    const secret = await lookup('v1', 'Secret', 'ns', 's');
    expect(writeJson(secret?.get('data') ?? null)).toBe('{"a":"b"}');
    expect(secret?.get('size')).toMatchObject({ type: 'int64', value: 3n });
  });

  test('a list', async () => {
    const list = await lookup('v1', 'Secret', 'ns', '');
    expect(list?.get('kind')).toBe('SecretList');
    expect(list?.get('items')).toHaveLength(1);
  });

  test.each([
    ['an object that is not there', 'v1', 'Secret', 'ns', 'nope'],
    ['a namespaced object without a namespace', 'v1', 'Secret', '', 's'],
    ['a kind that a known group does not have', 'v1', 'Nope', 'ns', 's'],
  ])('%s: nothing', async (_what, ...question) => expect(await lookup(...question)).toBeUndefined());

  test('a cluster-scoped object, whatever namespace is given', async () => {
    expect((await lookup('v1', 'Namespace', 'other', 'ns'))?.get('kind')).toBe('Namespace');
  });

  test('an unknown group is refused in the words of Helm', async () => {
    await expect(lookup('example.com/v1', 'Nope', 'ns', 's')).rejects.toThrow(
      'unable to get apiresource from unstructured: example.com/v1, Kind=Nope: the server could not find the requested resource',
    );
  });
});

const files = {
  'templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  v: {{ .Capabilities.KubeVersion }}\n  s: {{ (lookup "v1" "Secret" "ns" "s").data.a }}\n',
};

test('a render for a release asks the cluster', async () => {
  const chart = await chartOf(files);
  const prepared = await prepareForRelease(chart, new Map(), { isInstall: false, warnsOfCrds: false });
  const release = { name: 'rel', namespace: 'ns', revision: 2, isInstall: false };
  const rendered = await renderForRelease(prepared, new Map(), { release, cluster: clusterWithSecret() }, {});
  expect(rendered.manifests[0]?.object['data']).toEqual({ v: 'v1.36.0', s: 'b' });
});

describe('template --dry-run=server', () => {
  const options = { name: 'rel', namespace: 'ns' };

  test('renders for the cluster', async () => {
    const { output } = await templateChart(await chartOf(files), new Map(), {
      ...options,
      cluster: clusterWithSecret(),
    });
    expect(output).toContain('v: v1.36.0\n  s: b');
  });

  test('refuses a kind that the cluster does not serve', async () => {
    const chart = await chartOf({
      'templates/a.yaml': 'apiVersion: example.com/v1\nkind: Nope\nmetadata: {name: web}\n',
    });
    await expect(templateChart(chart, new Map(), { ...options, cluster: clusterWithSecret() })).rejects.toMatchObject({
      code: 'no-matches-for-kind',
      message: expect.stringContaining('unable to build kubernetes objects from release manifest') as string,
    });
  });

  test('refuses an object that another release owns', async () => {
    const cluster = clusterWithSecret();
    cluster.add({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'ns' } });
    await expect(templateChart(await chartOf(files), new Map(), { ...options, cluster })).rejects.toMatchObject({
      code: 'ownership-conflict',
      message: expect.stringContaining('unable to continue with install') as string,
    });
  });
});
