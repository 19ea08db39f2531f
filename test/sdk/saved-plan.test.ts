import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { PlanOptions } from '../../src/index.ts';
import { type Sandbox, sandbox } from '../../src/testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-saved-'));
const chart = join(folder, 'chart');
const file = join(folder, 'shop.plan');
mkdirSync(join(chart, 'templates'), { recursive: true });
writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
writeFileSync(
  join(chart, 'templates', 'a.yaml'),
  `apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {label: "{{ .Values.label }}"}
---
apiVersion: v1
kind: Secret
metadata: {name: login}
stringData: {password: "{{ .Values.auth.password }}"}
`,
);
afterAll(() => rmSync(folder, { recursive: true }));

let box: Sandbox;
beforeEach(async () => {
  box = await sandbox({ time: 'simulated' });
});
afterEach(() => box.close());

const password = 'hunter2-of-the-user';
const values = { label: 'one', auth: { password } };
const settings = { apiVersion: 'v1', kind: 'ConfigMap', name: 'settings' };

test('a plan is saved, and exactly that is applied', async () => {
  const { tshelm } = box;
  const plan = await tshelm.plan('shop', chart, { values, save: { file } });
  expect(plan.steps.at(-1)?.title).toBe('apply 2 resources');
  expect(await tshelm.list()).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain(password);

  await expect(tshelm.apply(file)).rejects.toMatchObject({ code: 'bad-options', details: { option: 'values' } });
  const other = { values: { ...values, label: 'two' } };
  await expect(tshelm.apply(file, other)).rejects.toMatchObject({ code: 'plan-outdated' });
  const operation = tshelm.apply(file, { values });
  const told: string[] = [];
  for await (const event of operation) if (event.kind === 'resource') told.push(`${event.id.name} ${event.state}`);
  expect(told).toContain('settings created');
  expect(await operation).toMatchObject({ action: 'install', release: { name: 'shop', revision: 1, values } });
  await expect(tshelm.apply(file, { values })).rejects.toMatchObject({ code: 'plan-outdated' });
});

test('an upgrade whose object was changed since is refused, unless that is allowed', async () => {
  const { tshelm } = box;
  await tshelm.install('shop', chart, { values });
  const next = { values: { ...values, label: 'two' } };
  await tshelm.plan('shop', chart, { ...next, action: 'upgrade', save: { file, passphrase: 'open it' } });
  expect(readFileSync(file, 'utf8')).not.toContain(password);
  await box.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { label: 'by hand' } });
  const opened = { passphrase: 'open it' };
  await expect(tshelm.apply(file)).rejects.toMatchObject({ code: 'plan-key' });
  await expect(tshelm.apply(file, opened)).rejects.toMatchObject({
    code: 'plan-outdated',
    details: { release: 'shop' },
  });
  expect(await box.get(settings)).toMatchObject({ data: { label: 'by hand' } });
  const { release } = await tshelm.apply(file, { ...opened, allow: ['ConfigMap/settings'] });
  expect(release).toMatchObject({ revision: 2, values: next.values });
  expect(await box.get(settings)).toMatchObject({ data: { label: 'two' } });
});

test.each<[string, PlanOptions, string]>([
  ['a bigint', { values: { id: 5n }, save: { file } }, 'values'],
  ['a function', { postRenderer: (text) => text, save: { file } }, 'postRenderer'],
  ['two keys', { save: { file, passphrase: 'a', encryptTo: ['age1'] } }, 'save.passphrase'],
  ['no file', { save: {} as never }, 'save.file'],
  ['an option that does not exist', { save: { file, out: 'x' } as never }, 'save.out'],
])('%s cannot be saved', async (_what, options, option) => {
  await expect(box.tshelm.plan('shop', chart, options)).rejects.toMatchObject({
    code: 'bad-options',
    details: { option },
  });
});

test('a chart without a name cannot be saved, and a file that is no plan cannot be applied', async () => {
  const { tshelm } = box;
  const loaded = await tshelm.load(chart);
  await expect(tshelm.plan('shop', loaded, { save: { file } })).rejects.toMatchObject({ code: 'bad-options' });
  await expect(tshelm.apply(join(folder, 'none'))).rejects.toMatchObject({ code: 'plan-unusable' });
  await expect(tshelm.apply(join(chart, 'Chart.yaml'))).rejects.toMatchObject({ code: 'plan-unusable' });
});

test('a plan that has expired is refused', async () => {
  const { tshelm } = box;
  await tshelm.plan('shop', chart, { values, save: { file, expiresInMs: 60_000 } });
  await box.pass(61_000);
  await expect(tshelm.apply(file, { values })).rejects.toMatchObject({ code: 'plan-expired' });
});

test('moves, renames and adoptions are saved, and exactly those are applied', async () => {
  const { tshelm } = box;
  const names = ['ConfigMap/settings'];
  const ownerOf = async () => (await box.get(settings))?.metadata.annotations?.['meta.helm.sh/release-name'];
  await tshelm.install('shop', chart, { values });
  const uid = (await box.get(settings))?.metadata.uid;

  const planned = await tshelm.move('shop', 'target', names, { save: { file } });
  expect([planned.plan.kind, await ownerOf()]).toEqual(['move', 'shop']);
  await expect(tshelm.apply(file, { allow: names })).rejects.toMatchObject({ details: { option: 'allow' } });
  expect(await tshelm.apply(file)).toEqual({ action: 'move', move: planned.plan, warnings: [] });
  expect(await ownerOf()).toBe('target');
  await expect(tshelm.apply(file)).rejects.toMatchObject({ code: 'plan-outdated' });

  await tshelm.rename('target', 'renamed', { save: { file } });
  expect(await tshelm.apply(file)).toMatchObject({ action: 'rename', move: { to: { release: 'renamed' } } });
  await expect(tshelm.apply(file)).rejects.toMatchObject({ code: 'plan-outdated' });
  await tshelm.uninstall('renamed', { keepObjects: true });

  await expect(tshelm.adopt('shop', chart, names, { values, save: { file: '' } })).rejects.toMatchObject({
    details: { option: 'save.file' },
  });
  await tshelm.adopt('shop', chart, names, { values, save: { file } });
  expect(readFileSync(file, 'utf8')).not.toContain(password);
  await expect(tshelm.apply(file)).rejects.toMatchObject({ code: 'bad-options', details: { option: 'values' } });
  expect(await tshelm.apply(file, { values })).toMatchObject({ action: 'adopt', move: { kind: 'adopt' } });
  expect(await ownerOf()).toBe('shop');
  expect((await box.get(settings))?.metadata.uid).toBe(uid);
});
