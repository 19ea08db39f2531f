import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HttpClient } from '../../../src/source/http/client.ts';
import { listTags, locateArtifact } from '../../../src/source/oci/locate.ts';
import { fetchLayer, findChart, pulledText } from '../../../src/source/oci/pull.ts';
import { parseOciReference } from '../../../src/source/oci/reference.ts';
import { RegistryClient, type RegistryOptions } from '../../../src/source/oci/registry-client.ts';
import { type FakeRegistry, fakeRegistry, sha256 } from './fake-registry.ts';

export function openRegistry(options: Partial<RegistryOptions> = {}): RegistryClient {
  const home = mkdtempSync(join(tmpdir(), 'tshelm-registry-'));
  const http = new HttpClient({ env: {}, random: () => 0 });
  onTestFinished(() => {
    http.close();
    rmSync(home, { recursive: true });
  });
  return new RegistryClient({
    http,
    env: { HOME: home, PATH: '' },
    registryConfig: join(home, 'config.json'),
    plainHttp: true,
    ...options,
  });
}

const archive = Buffer.from('the archive');

async function pull(registry: FakeRegistry, reference: string, client = openRegistry()): Promise<Uint8Array> {
  const { reference: found } = await locateArtifact(`oci://${registry.host}/${reference}`, '', client);
  const repository = client.repository(found);
  const chart = await findChart(repository);
  return fetchLayer(repository, chart.chart);
}

test('gives the layer, and says what Helm says', async () => {
  const registry = await fakeRegistry();
  const digest = registry.putChart('charts/demo', '1.0.0_b', archive);
  expect(Buffer.from(await pull(registry, 'charts/demo:1.0.0_b'))).toEqual(archive);
  const client = openRegistry();
  const { reference, version } = await locateArtifact(`oci://${registry.host}/charts/demo`, '^1', client);
  expect(version).toBe('1.0.0+b');
  const text = pulledText(await findChart(client.repository(reference)));
  expect(text).toContain(`Pulled: ${registry.host}/charts/demo:1.0.0_b\nDigest: ${digest}\n`);
  expect(text).toContain('contains an underscore.');
});

test('what has no tag is asked of nobody', async () => {
  const registry = await fakeRegistry();
  const repository = openRegistry().repository(parseOciReference(`oci://${registry.host}/demo/demo`));
  await expect(findChart(repository)).rejects.toThrow(
    `failed to perform "FetchReference" on source: invalid reference: ${registry.host}/demo/demo has no tag`,
  );
});

test('reads the layer of Helm before 3.7, with a warning', async () => {
  const registry = await fakeRegistry();
  registry.putChart('demo/demo', '1.0.0', archive, { layerType: 'application/tar+gzip' });
  const client = openRegistry();
  const { reference } = await locateArtifact(`oci://${registry.host}/demo/demo:1.0.0`, '', client);
  expect(pulledText(await findChart(client.repository(reference)))).toMatch(
    /^Warning: chart media type application\/tar\+gzip is deprecated\n/,
  );
});

test('reads all pages of tags; what is no version is told apart', async () => {
  const registry = await fakeRegistry({ pageSize: 2 });
  for (const tag of ['1.0.0', '1.10.0', '1.9.0', 'latest', '2.0.0-rc.1', 'v3.0.0', '1.9.0_x'])
    registry.putChart('charts/demo', tag, archive);
  const { tags, others } = await listTags(`oci://${registry.host}/charts/demo`, openRegistry());
  expect(tags).toEqual(['2.0.0-rc.1', '1.10.0', '1.9.0', '1.9.0+x', '1.0.0']);
  expect(others).toEqual(['latest', 'v3.0.0']);
});

test('a page of another host is not asked for', async () => {
  const registry = await fakeRegistry({
    first: (_request, response) => {
      response.writeHead(200, { link: '<http://169.254.169.254/latest>; rel="next"' }).end('{"tags":["1.0.0"]}');
      return true;
    },
  });
  await expect(listTags(`oci://${registry.host}/charts/demo`, openRegistry())).rejects.toThrow(
    'invalid next link "http://169.254.169.254/latest": it is not on the same registry',
  );
});

test('a layer that is not what its digest says is refused', async () => {
  const registry = await fakeRegistry();
  registry.putChart('charts/demo', '1.0.0', archive);
  registry.content.set(sha256(archive), Buffer.from('THE ARCHIVE'));
  const url = `${registry.url}/v2/charts/demo/blobs/${sha256(archive)}`;
  await expect(pull(registry, 'charts/demo:1.0.0')).rejects.toThrow(
    `failed to perform "Fetch" on source: GET "${url}": invalid response; digest mismatch`,
  );
});

test('a layer that lies about its digest in the header too is refused', async () => {
  const wrong = Buffer.from('THE ARCHIVE');
  const registry = await fakeRegistry({
    first: (request, response) => {
      if (!request.url?.includes('/blobs/')) return false;
      response.writeHead(200, { 'docker-content-digest': sha256(archive) }).end(wrong);
      return true;
    },
  });
  registry.putChart('charts/demo', '1.0.0', archive);
  await expect(pull(registry, 'charts/demo:1.0.0')).rejects.toThrow(
    `mismatched digest: the content is ${sha256(wrong)}, not ${sha256(archive)}`,
  );
});

test.each([
  ['a longer layer', 'THE ARCHIVE AND MORE', /the body is larger than the limit of 11 bytes/],
  ['a shorter layer', 'THE', /mismatched length: the content has 3 bytes, not 11/],
])('%s is refused', async (_case, text, message) => {
  const registry = await fakeRegistry({
    first: (request, response) => {
      if (!request.url?.includes('/blobs/')) return false;
      response.end(text);
      return true;
    },
  });
  registry.putChart('charts/demo', '1.0.0', archive);
  await expect(pull(registry, 'charts/demo:1.0.0')).rejects.toThrow(message);
});

test('a manifest that is not the one of its digest is refused', async () => {
  const registry = await fakeRegistry();
  const digest = registry.putChart('charts/demo', '1.0.0', archive);
  registry.content.set(digest, Buffer.from('{"layers":[]}'));
  await expect(pull(registry, `charts/demo@${digest}`)).rejects.toThrow('digest mismatch');
});

test.each([
  ['no JSON', 'hello'],
  ['no digest', '{"layers":[{"mediaType":"x"}]}'],
  ['no chart', '{"config":{"mediaType":"x","digest":"sha256:1","size":1},"layers":[]}'],
])('a manifest with %s is no chart', async (_case, manifest) => {
  const registry = await fakeRegistry();
  registry.content.set('charts/demo:1.0.0', Buffer.from(manifest));
  await expect(pull(registry, 'charts/demo:1.0.0')).rejects.toThrow(/./);
  expect(registry.requests.filter(({ url }) => url?.includes('/blobs/'))).toEqual([]);
});

const indexType = 'application/vnd.oci.image.index.v1+json';

/** What an index lists is asked for by its digest; its own type is the one of the answer. */
async function registryWithIndex(change: (listed: { digest: string; size: number }) => object): Promise<FakeRegistry> {
  let index = '';
  const registry = await fakeRegistry({
    first: (request, response) => {
      if (!request.url?.endsWith('/manifests/1.0.0')) return false;
      response.writeHead(200, { 'content-type': indexType }).end(index);
      return true;
    },
  });
  const digest = registry.putChart('charts/demo', 'listed', archive);
  const size = registry.content.get(digest)?.length ?? 0;
  const other = { mediaType: 'application/vnd.example+json', digest: sha256('other'), size: 5 };
  const listed = { mediaType: 'application/vnd.oci.image.manifest.v1+json', ...change({ digest, size }) };
  index = JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests: [other, listed] });
  return registry;
}

test('a chart may be listed by an index', async () => {
  const registry = await registryWithIndex((listed) => listed);
  expect(Buffer.from(await pull(registry, 'charts/demo:1.0.0'))).toEqual(archive);
});

test.each([
  ['that is not there', () => ({ digest: sha256('gone'), size: 4 }), `${sha256('gone')}: not found`],
  [
    'that is longer than listed',
    ({ digest }: { digest: string }) => ({ digest, size: 10 }),
    'is larger than the limit of 10 bytes',
  ],
  ['whose digest is none', () => ({ digest: 'sha256:x', size: 4 }), 'invalid digest "sha256:x"'],
])('a listed manifest %s is refused', async (_case, change, reason) => {
  await expect(pull(await registryWithIndex(change), 'charts/demo:1.0.0')).rejects.toThrow(reason);
});
