import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readJsonDocument } from '../../src/chart/schema/json-document.ts';
import { validateAgainstSchema } from '../../src/chart/schema/validate.ts';
import { connect } from '../../src/cluster/connect.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import type { GoMap } from '../../src/go/value.ts';
import { openSandbox } from '../../src/sandbox/index.ts';
import { planFileText } from '../../src/saved-plan/file.ts';
import type { SavedMove, SavedPlan } from '../../src/saved-plan/types.ts';
import { openTestSandbox } from './harness.ts';

let sandbox: ReturnType<typeof openTestSandbox>;
let folder: string;
let chart: string;
let file: string;
beforeEach(async () => {
  sandbox = openTestSandbox();
  folder = mkdtempSync(join(tmpdir(), 'tshelm-saved-moves-'));
  chart = join(folder, 'app');
  file = join(folder, 'move.plan');
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: app\nversion: 1.0.0\n');
  const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
  const secret =
    'apiVersion: v1\nkind: Secret\nmetadata: {name: auth}\nstringData: {password: "{{ .Values.password }}"}\n';
  writeFileSync(
    join(chart, 'templates/all.yaml'),
    `${map('settings')}---\n${map('other')}{{ if .Values.password }}---\n${secret}{{ end }}`,
  );
  expect(await sandbox.run('install', 'shop', chart)).toMatchObject({ code: 0 });
});
afterEach(() => {
  sandbox.remove();
  rmSync(folder, { recursive: true, force: true });
});

const idOf = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name });
async function behind<T>(task: (cluster: Cluster) => Promise<T>): Promise<T> {
  const server = await openSandbox({ directory: sandbox.directory });
  const env = { KUBECONFIG: '/dev/null' };
  const cluster = await connect({ apiServer: server.url, token: server.token, namespace: 'default', env });
  try {
    return await task(cluster);
  } finally {
    cluster.close();
    await server.close();
  }
}
const ownerOf = (name: string): Promise<string | undefined> =>
  behind(async (cluster) => (await cluster.get(idOf(name)))?.metadata.annotations?.['meta.helm.sh/release-name']);
const revisionsOf = async (release: string): Promise<number> => {
  const { code, stdout } = await sandbox.run('history', release, '-o', 'json');
  return code === 0 ? (JSON.parse(stdout) as unknown[]).length : 0;
};
const saved = async (...words: string[]): Promise<void> => {
  const { code, stderr } = await sandbox.run(...words, '--out', file);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('The plan is saved in') as unknown,
  });
};
const applied = (...words: string[]) => sandbox.run('apply', file, ...words);
const isOutdated = async (why: RegExp, ...words: string[]): Promise<void> => {
  const { code, stderr } = await applied(...words);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('is out of date') as unknown });
  expect(stderr).toMatch(why);
};

test('a move is saved, shown, released and carried out once', async () => {
  await saved('move', 'shop', 'ConfigMap/settings', '--to', 'store');
  expect(await ownerOf('settings')).toBe('shop');
  expect([await revisionsOf('shop'), await revisionsOf('store')]).toEqual([1, 0]);
  const title = 'move 1 object from release shop in default to release store';
  for (const format of ['tree', 'json', 'yaml', 'dot', 'mermaid', 'markdown']) {
    const shown = await sandbox.run('show-plan', file, '-o', format, '--exit-code');
    expect([format, shown.code, shown.stdout]).toEqual([format, 2, expect.stringContaining('settings') as unknown]);
  }
  expect((await sandbox.run('show-plan', file)).stdout).toContain(`${title}\n  ConfigMap/settings in default\n`);
  const key = join(folder, 'release.key');
  writeFileSync(key, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const released = await sandbox.run('plan', 'release', file, '--sign-key', key);
  expect(released.stdout).toContain(`${title}: released\n`);
  expect(await applied()).toMatchObject({ code: 0, stdout: expect.stringContaining(title) as unknown });
  expect(await ownerOf('settings')).toBe('store');
  expect([await revisionsOf('shop'), await revisionsOf('store')]).toEqual([2, 1]);
  await isOutdated(/the release was at revision 1 \(deployed\)/);
});

test('a rename, and the file is as its schema says', async () => {
  await saved('rename', 'shop', 'store');
  const schema = readFileSync('docs/saved-plan.schema.json');
  const json = readFileSync(file, 'utf8');
  const check = (text: string): Promise<string> =>
    validateAgainstSchema(schema, readJsonDocument(text) as GoMap, { notify: () => {}, download: undefined });
  expect(await check(json)).toBe('');
  expect(await check(json.replace('"recorded"', '"rekorded"'))).not.toBe('');
  expect(await applied('-o', 'json')).toMatchObject({ code: 0 });
  expect([await ownerOf('settings'), await revisionsOf('shop')]).toEqual(['store', 0]);
});

test('an adoption keeps no secrets, and needs them again', async () => {
  await behind((cluster) => cluster.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'loose' } }));
  writeFileSync(join(chart, 'templates/loose.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: loose}\n');
  const secret = ['--set', 'password=CANARY-word'];
  await saved('adopt', 'shop', chart, 'ConfigMap/loose', ...secret);
  expect(readFileSync(file, 'utf8')).not.toContain('CANARY');
  expect(await ownerOf('loose')).toBeUndefined();
  expect(await applied(...secret)).toMatchObject({ code: 0 });
  expect(await ownerOf('loose')).toBe('shop');
});

test('an adoption shows whose an object is', async () => {
  const words = ['adopt', 'store', chart, 'ConfigMap/settings', '--take-ownership'];
  const line = 'ConfigMap/settings in default (belongs to release shop in default, and is taken from there)\n';
  expect((await sandbox.run(...words, '--dry-run')).stdout).toContain(line);
  await saved(...words);
  expect((await sandbox.run('show-plan', file)).stdout).toContain(line);
});

describe('nothing is written once something has changed', () => {
  const state = async () => [await ownerOf('settings'), await revisionsOf('store')];

  test('a new revision', async () => {
    await saved('move', 'shop', 'ConfigMap/settings', '--to', 'store');
    await sandbox.run('upgrade', 'shop', chart);
    await isOutdated(/the release was at revision 1 \(deployed\) when the plan was made, and is at revision 2/);
    expect(await state()).toEqual(['shop', 0]);
  });

  test('a release that has come into being under the new name', async () => {
    await saved('move', 'shop', 'ConfigMap/settings', '--to', 'store');
    await sandbox.run('install', 'store', chart, '--take-ownership');
    await isOutdated(/the release was not installed when the plan was made, and is at revision 1/);
  });

  test('an object that was recreated, or belongs to somebody else', async () => {
    await saved('rename', 'shop', 'store');
    const object = await behind((cluster) => cluster.get(idOf('settings')));
    const owner = (name: string) => ({ metadata: { annotations: { 'meta.helm.sh/release-name': name } } });
    await behind((cluster) => cluster.patch(idOf('settings'), 'merge', owner('thief')));
    await isOutdated(/ConfigMap\/settings in default belongs to another release than when the plan was made/);
    await behind(async (cluster) => {
      await cluster.delete(idOf('settings'));
      const { annotations, labels } = object?.metadata ?? {};
      const metadata = { name: 'settings', ...(annotations && { annotations }), ...(labels && { labels }) };
      await cluster.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    });
    await isOutdated(/ConfigMap\/settings in default was created, deleted or recreated/);
    expect(await state()).toEqual(['shop', 0]);
  });

  test('the chart of an adoption, or its values', async () => {
    writeFileSync(join(chart, 'values.yaml'), 'label: a\n');
    writeFileSync(
      join(chart, 'templates/loose.yaml'),
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: loose, labels: {a: "{{ .Values.label }}"}}\n',
    );
    await behind((cluster) => cluster.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'loose' } }));
    await saved('adopt', 'shop', chart, 'ConfigMap/loose');
    await isOutdated(/other manifests or values would be recorded/, '--set', 'label=b');
    writeFileSync(join(chart, 'values.yaml'), 'label: b\n');
    await isOutdated(/the chart's file values.yaml has changed/);
    expect(await ownerOf('loose')).toBeUndefined();
  });

  test('a file that shows another move than it asks for', async () => {
    await saved('move', 'shop', 'ConfigMap/settings', '--to', 'store');
    const { plan } = JSON.parse(readFileSync(file, 'utf8')) as { plan: SavedPlan };
    const { move, ...rest } = plan;
    for (const forged of [{ to: 'stolen' }, { objects: ['ConfigMap/settings', 'ConfigMap/other'] }]) {
      const options = { ...(move as SavedMove).options, ...forged };
      writeFileSync(file, planFileText({ ...rest, move: { ...(move as SavedMove), options } }));
      const { code, stderr } = await applied();
      expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot be used|out of date/)]);
    }
    expect([...(await state()), await revisionsOf('stolen')]).toEqual(['shop', 0, 0]);
  });

  test('the file itself', async () => {
    await saved('rename', 'shop', 'store');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"store"', '"stolen"'));
    expect(await applied()).toMatchObject({ code: 1, stderr: expect.stringContaining('changed after') as unknown });
  });
});

test.each([
  [['rename', 'shop', 'store', '--sign-key', 'x'], 'only a saved plan is signed; add --out FILE'],
  [['move', 'shop', 'ConfigMap/none', '--to', 'store', '--out', 'x'], 'release "shop" has no ConfigMap/none'],
])('%j is refused', async (words, message) => {
  const { code, stderr } = await sandbox.run(...words);
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
});
