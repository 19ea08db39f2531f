import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { synthesize } from '../../examples/cdk8s-app/app.ts';
import { deploy } from '../../examples/github-action/deploy.ts';
import { memoryEdits, pullRequest } from '../../examples/memory-bot/bot.ts';
import { previewComment } from '../../examples/preview-comment/comment.ts';
import { reconcile } from '../../examples/release-loop/operator.ts';
import { release } from '../../examples/stack/release.ts';
import { isTshelmError, type Values } from '../../src/index.ts';
import { type Sandbox, sandbox } from '../../src/testing.ts';

// More of the programs of examples/ than their READMEs show (readmes.test.ts runs these).
const chart = fileURLToPath(new URL('../../examples/chart', import.meta.url));

let cluster: Sandbox;
beforeEach(async () => {
  cluster = await sandbox({ time: 'simulated' });
});
afterEach(() => cluster.close());

test('an app of constructs renders charts in its constructors', () => {
  const objects = synthesize();
  expect(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
    'ConfigMap/shop',
    'Deployment/shop',
    'ConfigMap/office',
    'Deployment/office',
  ]);
  expect(objects[1]).toMatchObject({ metadata: { labels: { team: 'checkout' } }, spec: { replicas: 3 } });
});

test('a GitHub Action deploys, and tells of what failed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-example-'));
  const lines: string[] = [];
  const summary = join(folder, 'summary.md');
  const inputs = { INPUT_RELEASE: 'shop', INPUT_CHART: chart, GITHUB_STEP_SUMMARY: summary };
  const run = (environment: Readonly<Record<string, string>>): Promise<number> =>
    deploy({ environment, cluster: cluster.cluster, write: (line) => void lines.push(line) });
  expect(await run({ ...inputs, INPUT_SET: 'greeting=hi\nreplicas=2' })).toBe(0);
  expect(lines).toContain('Deployment/shop is ready');
  expect(readFileSync(summary, 'utf8')).toBe('**shop** is at revision 1\n');
  expect((await cluster.tshelm.get('shop')).values).toEqual({ greeting: 'hi', replicas: 2 });
  expect(await run({ ...inputs, INPUT_SET: 'replicas=0' })).toBe(1);
  expect(lines.at(-1)).toMatch(
    /^::error .*title=deploy shop.*::replicas: minimum: got 0, want 1%0Aset replicas: the schema requires an integer of at least 1$/,
  );
  rmSync(folder, { recursive: true });
});

test('a loop keeps 100 releases as they should be, in one process', async () => {
  const wanted = new Map<string, Values>();
  for (let index = 0; index < 100; index++) wanted.set(`shop-${index}`, { replicas: 1 + (index % 3) });
  const run = () => reconcile({ cluster: cluster.cluster, chart, wanted });
  const none = { installed: 0, upgraded: 0, unchanged: 0, uninstalled: 0, failed: new Map() };
  expect(await run()).toEqual({ ...none, installed: 100 });
  wanted.set('shop-7', { replicas: 5 });
  wanted.delete('shop-9');
  expect(await run()).toEqual({ ...none, upgraded: 1, uninstalled: 1, unchanged: 98 });
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
  expect(await cluster.get({ ...deployment, name: 'shop-7' })).toMatchObject({ status: { readyReplicas: 5 } });
  expect(await cluster.get({ ...deployment, name: 'shop-9' })).toBeUndefined();
});

test('a comment shows what a pull request would change, and changes nothing', async () => {
  const change = { cluster: cluster.cluster, name: 'shop', chart };
  expect(await previewComment(change)).toContain('### tshelm: 1 of 1 release would change');
  expect(await cluster.tshelm.list()).toEqual([]);
  await cluster.tshelm.install('shop', chart);
  const comment = await previewComment({ ...change, values: { greeting: 'hi' } });
  expect(comment).toContain('+  greeting: hi');
  expect(comment).not.toContain('Deployment');
});

test('a stack is planned, approved and carried out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-example-'));
  const stack = (greeting: string, replicas = 1): string => `releases:
  - {name: api, namespace: shop, chart: ${chart}, values: [{greeting: ${greeting}}]}
  - {name: web, namespace: shop, chart: ${chart}, needs: [shop/api], values: [{replicas: ${replicas}}]}
`;
  const lines: string[] = [];
  let shown = '';
  const run = (isApproved: boolean): Promise<unknown> =>
    release({
      cluster: cluster.cluster,
      folder,
      approve: async (changes) => {
        shown = changes;
        return isApproved;
      },
      write: (line) => void lines.push(line),
    });
  writeFileSync(join(folder, 'helmfile.yaml'), stack('hi'));
  expect(await run(false)).toBeUndefined();
  expect(lines).toEqual([]);
  expect(await run(true)).toMatchObject([
    { id: 'shop/api', change: 'installed' },
    { id: 'shop/web', change: 'installed' },
  ]);
  expect(lines).toContain('shop/api: Deployment/api is created');
  expect(lines.indexOf('shop/api is installed')).toBeLessThan(lines.indexOf('shop/web begins'));
  expect(await run(true)).toBeUndefined();
  writeFileSync(join(folder, 'helmfile.yaml'), stack('hello'));
  expect(await run(true)).toMatchObject([{ change: 'upgraded', revision: 2 }, { change: 'unchanged' }]);
  expect(shown).toContain('+  greeting: hello');
  writeFileSync(join(folder, 'helmfile.yaml'), stack('hello', 0));
  await expect(run(true)).rejects.toMatchObject({ code: 'stack-failed', details: { failed: ['shop/web'] } });
  rmSync(folder, { recursive: true });
});

test('a bot raises a memory limit by the remedies of a failure', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-example-'));
  cpSync(chart, folder, { recursive: true });
  writeFileSync(join(folder, 'values.yaml'), 'replicas: 1\nimage: shop\nmemory: 1Gi # enough?\n');
  await using cluster = await sandbox({ time: 'simulated', fail: 'shop=oom' });
  const failure = await cluster.tshelm.install('shop', folder, { wait: 'watcher' }).catch((error: unknown) => error);
  if (!isTshelmError(failure)) throw failure;
  const edits = memoryEdits(failure, folder);
  const file = join(folder, 'values.yaml');
  expect(edits).toEqual([{ file, line: 3, before: 'memory: 1Gi # enough?', after: 'memory: 2Gi # enough?' }]);
  expect(pullRequest('shop', edits).body).toContain('`memory: 1Gi # enough?` → `memory: 2Gi # enough?`');
  rmSync(folder, { recursive: true });
});
