import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HttpClient } from '../../src/source/http/client.ts';
import { RegistryClient } from '../../src/source/oci/registry-client.ts';
import { helmPaths } from '../../src/source/paths.ts';
import { pullChart } from '../../src/source/pull-chart.ts';
import { serve } from './http/server.ts';

test('what --repo found is named by its URL where it has no provenance file', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tshelm-pull-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const files = new Map([
    ['/index.yaml', 'apiVersion: v1\nentries:\n  demo:\n  - {name: demo, version: 1.0.0, urls: [demo-1.0.0.tgz]}\n'],
    ['/demo-1.0.0.tgz', 'an archive'],
  ]);
  const { url } = await serve((request, response) => {
    const body = files.get(request.url ?? '');
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  const env = { HOME: home };
  const http = new HttpClient({ env: {} });
  const paths = helmPaths(env);
  const registry = new RegistryClient({ http, env, registryConfig: join(home, 'config.json') });
  const sources = { paths, http, registry, isOffline: false, tell: () => undefined };
  const request = { access: { repoUrl: url }, folder: home, provenance: 'fetch' as const, tools: { sources } };
  expect(await pullChart('demo', request)).toBe(
    `WARNING: Verification not found for ${url}/demo-1.0.0.tgz: ` +
      `failed to fetch ${url}/demo-1.0.0.tgz.prov : 404 Not Found\n`,
  );
});
