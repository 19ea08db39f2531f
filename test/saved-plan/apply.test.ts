import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ReleaseReview } from '../../src/actions/comparison/review.ts';
import { install } from '../../src/actions/install.ts';
import { readJsonDocument } from '../../src/chart/schema/json-document.ts';
import { validateAgainstSchema } from '../../src/chart/schema/validate.ts';
import type { Chart } from '../../src/chart/types.ts';
import type { GoMap } from '../../src/go/value.ts';
import { applyRelease, checkRelease, prepareRelease } from '../../src/saved-plan/apply.ts';
import { decideChange } from '../../src/saved-plan/decide.ts';
import { planFileText } from '../../src/saved-plan/file.ts';
import { savedPlan, savedRelease } from '../../src/saved-plan/save.ts';
import type { SavedRelease } from '../../src/saved-plan/types.ts';
import { chartOf, configMap, openWorld, type World } from '../actions/harness.ts';
import { refusal } from '../cluster/fake-cluster.ts';

const review: ReleaseReview = {
  action: 'upgrade',
  release: 'web',
  namespace: 'default',
  to: { revision: 2, chart: 'app-1.0.0' },
  objects: [],
  hooks: [],
  counts: { added: 0, changed: 0, removed: 0, kept: 0, unchanged: 0 },
  warnings: [],
};

const group = (name: string, after: string): string =>
  `helm.sh/resource-group: ${name}${after === '' ? '' : `, 'helm.sh/depends-on/resource-groups': '["${after}"]'`}`;

/** Two groups, one after the other; `old` goes. */
const files = (value: string) => ({
  'templates/a.yaml': configMap('first', `k: "${value}"`, group('one', '')),
  'templates/b.yaml': configMap('second', `k: "${value}"`, group('two', 'one')),
  ...(value === '1' ? { 'templates/c.yaml': configMap('old') } : {}),
});

const options = { wait: 'ordered', rollbackOnFailure: false } as const;

/** Revision 1 is installed, and an upgrade to the next is saved. */
async function saved(more: Readonly<Record<string, unknown>> = {}) {
  const world = openWorld({ readyAtOnce: true });
  await install(await chartOf(files('1')), new Map(), { name: 'web', ...options }, world.context);
  const chart = await chartOf(files('2'));
  const given = { reference: './app', access: {}, chart, given: {}, values: new Map() };
  const request = { action: 'upgrade', name: 'web', options: { ...options, ...more }, chart: given } as const;
  const change = await decideChange(request, world.context);
  const release = await savedRelease(change, { review, context: world.context });
  return { world, chart, release: JSON.parse(JSON.stringify(release)) as SavedRelease };
}

const prepared = (release: SavedRelease, chart: Chart, allowed: readonly string[] = []) =>
  prepareRelease(release, {
    plan: { createdAt: '2026-01-02T03:04:05Z' },
    inputs: { chart, values: new Map() },
    opener: {},
    allowed,
  });

const change = (world: World, name: string, data: object) =>
  world.cluster.patch({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name }, 'merge', { data });

const isWrite = ({ verb }: { readonly verb: string }): boolean => !['get', 'list', 'watch'].includes(verb);

test('a plan is checked by reading alone, and then carried out', async () => {
  const { world, chart, release } = await saved();
  const one = await prepared(release, chart);
  world.cluster.calls.length = 0;
  await checkRelease(one, world.context);
  expect(world.cluster.calls.filter(isWrite)).toEqual([]);
  expect((await applyRelease(one, world.context)).release).toMatchObject({ version: 2, info: { status: 'deployed' } });
  expect(world.cluster.find('second')).toMatchObject({ data: { k: '2' } });
  expect(world.cluster.find('old')).toBeUndefined();
});

test('what changes while the plan is carried out is not sent', async () => {
  const { world, chart, release } = await saved();
  const one = await prepared(release, chart);
  const failing = applyRelease(one, {
    ...world.context,
    onEvent: (event) => {
      if (event.kind === 'batch-finished' && event.number === 1) void change(world, 'second', { k: 'by hand' });
    },
  });
  await expect(failing).rejects.toMatchObject({
    code: 'plan-outdated',
    message: expect.stringMatching(
      /this object was not sent .*ConfigMap\/second in default has changed: data.k was "1"/s,
    ),
  });
  expect(world.cluster.find('first')).toMatchObject({ data: { k: '2' } });
  expect(world.cluster.find('second')).toMatchObject({ data: { k: 'by hand' } });
  expect(world.cluster.find('old')).toBeDefined();
});

test('what an undone failure brings back is asked no condition', async () => {
  const { world, chart, release } = await saved({ rollbackOnFailure: true });
  const one = await prepared(release, chart);
  const failing = applyRelease(one, {
    ...world.context,
    onEvent: (event) => {
      if (event.kind === 'batch-finished' && event.number === 1) void change(world, 'second', { k: 'by hand' });
    },
  });
  await expect(failing).rejects.toMatchObject({ code: 'upgrade-rolled-back' });
  expect(world.cluster.find('first')).toMatchObject({ data: { k: '1' } });
  expect(world.cluster.find('second')).toMatchObject({ data: { k: '1' } });
});

test('an object that somebody writes at the same moment is looked at again', async () => {
  const { world, chart, release } = await saved();
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'first' } };
  const moved = refusal(409, 'Conflict', map, 'Operation cannot be fulfilled: the object has been modified');
  world.cluster.failOn('apply', 'first', moved, 2);
  await applyRelease(await prepared(release, chart), world.context);
  expect(world.cluster.find('first')).toMatchObject({ data: { k: '2' } });
});

test('a revision that came between the check and the lock', async () => {
  const { world, chart, release } = await saved();
  const one = await prepared(release, chart);
  await checkRelease(one, world.context);
  await applyRelease(one, world.context);
  const writes = world.cluster.calls.filter(isWrite).length;
  await expect(applyRelease(one, world.context)).rejects.toMatchObject({
    code: 'plan-outdated',
    details: { changes: [{ kind: 'revision' }] },
  });
  expect(world.cluster.calls.filter(isWrite)).toHaveLength(writes);
});

test('steps that are decided otherwise', async () => {
  const { world, chart, release } = await saved();
  const other = { ...release, options: { ...release.options, wait: 'watcher' } };
  await expect(checkRelease(await prepared(other, chart), world.context)).rejects.toMatchObject({
    code: 'plan-outdated',
    details: { changes: [{ kind: 'steps' }] },
  });
});

test('every change is named at once, and only objects can be allowed', async () => {
  const { world, chart, release } = await saved();
  await change(world, 'first', { k: 'x' });
  await change(world, 'old', { k: 'y' });
  const subjects = ['ConfigMap/first in default', 'ConfigMap/old in default'];
  await expect(checkRelease(await prepared(release, chart), world.context)).rejects.toMatchObject({
    details: { changes: subjects.map((subject) => ({ kind: 'object', subject })) },
  });
  const allowed = await prepared(release, chart, ['ConfigMap/first', 'default/ConfigMap/old']);
  await checkRelease(allowed, world.context);
});

test('a file is as its schema says, which names every field of a release', async () => {
  const { release } = await saved();
  const schema = readFileSync('docs/saved-plan.schema.json');
  const made = { now: new Date(0), createdBy: 'ada@build', expiresInMs: 1000 };
  const text = planFileText(savedPlan([{ ...release, sealed: 'age' }], made));
  const check = (json: string): Promise<string> =>
    validateAgainstSchema(schema, readJsonDocument(json) as GoMap, { notify: () => {}, download: undefined });
  expect(await check(text)).toBe('');
  expect(await check(text.replace('"uid"', '"guid"'))).not.toBe('');
  expect(await check(text.replace('"createdBy"', '"by"'))).not.toBe('');
});
