import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenChart, mend } from '../mcp/agent.ts';
import { call } from '../mcp/client.ts';
import { auditOf, type Write } from './support/audit.ts';
import { scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { ok, tshelmPath, tshelmProcess } from './support/programs.ts';

/* The server as a client starts it, on the control plane: what it sends is what the API server's audit log says. */
const directory = scratchDirectory();
const admin = adminOf('mcp');
const audit = auditOf(admin);
const { namespace } = admin;
const here = ['-n', namespace];
const chart = writeChart(directory, 'web', brokenChart);

const pair = generateKeyPairSync('ed25519');
const [signKey, releaseKey] = [join(directory, 'release.key'), join(directory, 'release.pub')];
writeFileSync(signKey, pair.privateKey.export({ format: 'pem', type: 'pkcs8' }));
writeFileSync(releaseKey, pair.publicKey.export({ format: 'pem', type: 'spki' }));

const client = new Client({ name: 'test', version: '1' });
beforeAll(async () => {
  await ok(tshelmProcess, ['install', 'web', chart, ...here, '--wait', '--timeout', '60s']);
  await tshelmProcess.run(['upgrade', 'web', chart, ...here, '--set-string', 'image.tag=9.9']);
  const transport = new StdioClientTransport({
    command: tshelmPath,
    args: ['mcp', ...here, '--release-key', releaseKey],
    cwd: directory,
    env: process.env as Record<string, string>,
  });
  await client.connect(transport);
  await client.listTools();
});
afterAll(() => client.close());

const isOurs = ({ userAgent, isNamespaced }: Write): boolean => userAgent === 'tshelm' && isNamespaced;

test('no reading tool sends a writing verb, and apply sends what was released', async () => {
  audit.begin();
  const given = { release: 'web', namespace, chart: 'web' };
  const { tools } = await client.listTools();
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name);
  const more: Readonly<Record<string, object>> = { check: { useCluster: true }, plan: { plan: 'a.plan' } };
  for (const name of reading) {
    const schema = tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
    const all = { ...given, ...more[name], code: 'image-not-found' };
    const taken = Object.fromEntries(Object.entries(all).filter(([key]) => key in schema || key in (more[name] ?? {})));
    expect(await call(client, name, taken), name).not.toHaveProperty('error');
  }
  expect(await call(client, 'apply', { plan: 'a.plan' })).toMatchObject({ error: { code: 'plan-unreleased' } });
  expect(await audit.writes(isOurs)).toEqual([]);
  expect((await audit.dryRuns()).length).toBeGreaterThan(0);

  const releasePlan = (path: string) =>
    ok(tshelmProcess, ['plan', 'release', path, '--sign-key', signKey]).then(() => audit.begin());
  const { before, keys, early, applied, after } = await mend(client, {
    release: 'web',
    namespace,
    folder: directory,
    releasePlan,
  });
  expect(before.isHealthy).toBe(false);
  expect(keys).toEqual(['image', 'tag']);
  expect(early).toMatchObject({ error: { code: 'plan-unreleased' } });
  expect(applied).toMatchObject({ release: { revision: 3, status: 'deployed' } });
  expect(after.isHealthy).toBe(true);
  const written = (await audit.writes(isOurs)).map(({ resource, name }) => `${resource}/${name}`);
  expect(written.filter((one) => !/^leases|sh\.helm\.release/.test(one))).toEqual(['deployments.apps/web']);
});
