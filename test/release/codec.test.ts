import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { decodeRelease, encodeRelease, releaseJson } from '../../src/release/codec.ts';
import { withStatus } from '../../src/release/history.ts';
import { releaseOf } from '../../src/release/record.ts';
import type { Release } from '../../src/release/types.ts';
import { releaseOf as newRelease } from './releases.ts';

/** Secrets that Helm itself wrote, from a chart with everything that a record can hold. */
const fixture = (name: string): KubernetesObject =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')) as KubernetesObject;

const storedText = (secret: KubernetesObject): string =>
  Buffer.from((secret['data'] as { release: string }).release, 'base64').toString();

const jsonIn = (stored: string): string => gunzipSync(Buffer.from(stored, 'base64')).toString();

test("a record of Helm 4 is written again as Helm's own bytes", async () => {
  const secret = fixture('helm4-secret.json');
  const release = await releaseOf(secret);
  expect(releaseJson(release)).toBe(jsonIn(storedText(secret)));
  expect(release).toMatchObject({
    name: 'rich',
    namespace: 'default',
    version: 1,
    applyMethod: 'ssa',
    labels: { team: 'a', tier: 'db' },
    info: { status: 'uninstalled', description: 'Uninstallation complete', notes: 'Hello rich\n' },
  });
});

test('a record of Helm 3 is read; its empty times are no times', async () => {
  const secret = fixture('helm3-secret.json');
  const release = await releaseOf(secret);
  expect(release.info).toMatchObject({ status: 'deployed', deleted: undefined });
  expect(release.hooks.map(({ lastRun }) => lastRun)).toContainEqual({
    startedAt: undefined,
    completedAt: undefined,
    phase: '',
  });
  expect(release.applyMethod).toBeUndefined();
});

test('what is encoded is decoded to the same', async () => {
  const release = await releaseOf(fixture('helm4-secret.json'));
  const again = await decodeRelease(await encodeRelease(release));
  expect(again).toEqual({ ...release, labels: {}, storedLabels: undefined });
});

const manyLines = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `- name: item-${(index * index) % 9_973}\n  value: ${(index * 7919) % 1_000_003}`,
  ).join('\n');
const smallest = (release: Release): number => gzipSync(releaseJson(release), { level: 9 }).toString('base64').length;

test.each([
  ['a small one quickly, as it is written again and again', 1_000, 'larger'],
  ['one that could come near the limit as small as it gets', 300_000, 'as small'],
])('while it is under way, %s', async (_case, lines, size) => {
  const done = newRelease('web', 1, 'deployed', { manifest: manyLines(lines) });
  const underWay = withStatus(done, 'pending-upgrade');
  const encoded = await encodeRelease(underWay);
  expect(encoded.length > smallest(underWay) * 1.03 ? 'larger' : 'as small').toBe(size);
  expect(jsonIn(encoded)).toBe(releaseJson(underWay));
  const last = await encodeRelease(done);
  expect(jsonIn(last)).toBe(releaseJson(done));
  expect(last.length).toBeLessThan(smallest(done) * 1.03);
});

test('what stays the same is packed small meanwhile', async () => {
  const pending = withStatus(newRelease('web', 1, 'deployed', { manifest: manyLines(1_000) }), 'pending-upgrade');
  const first = await encodeRelease(pending);
  const later = async (): Promise<string> => encodeRelease({ ...pending });
  await expect.poll(async () => (await later()).length).toBeLessThan(first.length);
  expect(jsonIn(await later())).toBe(releaseJson(pending));
});

test('another manifest or other values of the same chart are packed anew', async () => {
  const release = newRelease('web', 1, 'deployed', { manifest: 'a: 1\n' });
  await encodeRelease(release);
  const others = [
    { ...release, manifest: 'b: 2\n' },
    { ...release, config: new Map([['a', 'b']]) },
  ];
  for (const other of others) expect(jsonIn(await encodeRelease(other))).toBe(releaseJson(other));
});

test('fields that Helm does not know are dropped; sequencing is kept', async () => {
  const json = {
    name: 'a',
    version: 2,
    unknown: 1,
    info: { status: 'deployed', more: [] },
    sequencing: { batches: [] },
  };
  const release = await decodeRelease(gzipSync(JSON.stringify(json)).toString('base64'));
  expect(JSON.parse(releaseJson(release))).toEqual({
    name: 'a',
    version: 2,
    info: { status: 'deployed' },
    chart: {
      metadata: {},
      lock: null,
      templates: null,
      values: {},
      schema: null,
      schemamodtime: '0001-01-01T00:00:00Z',
      files: null,
    },
    sequencing: { batches: [] },
  });
});

test('what an operation keeps of itself is kept while it is under way, and not once it has succeeded', async () => {
  const operation = {
    holder: 'ada@build-7 pid 7 cafe',
    process: 'machine/7/100',
    isLeased: true,
    timeoutSeconds: 300,
    action: 'upgrade',
    inputs: { chart: 'c', values: 'v' },
    done: ['pre-upgrade a/templates/job.yaml Job/migrate', 'apply a a'],
  } as const;
  const pending = { ...newRelease('a', 1, 'pending-upgrade'), operation };
  expect((await decodeRelease(await encodeRelease(pending))).operation).toEqual(operation);
  expect(releaseJson(withStatus(pending, 'deployed'))).not.toContain('tshelm');
});

describe('decoding', () => {
  test('records from before compression are read', async () => {
    const release = await decodeRelease(Buffer.from('{"name":"old","version":1}').toString('base64'));
    expect(release).toMatchObject({ name: 'old', version: 1 });
  });

  test.each([
    ['no JSON', Buffer.from('{').toString('base64')],
    ['broken gzip', gzipSync('{}').subarray(0, 12).toString('base64')],
  ])('%s is a corrupt release', async (_what, stored) => {
    await expect(decodeRelease(stored)).rejects.toMatchObject({ code: 'corrupt-release' });
  });
});

test('what hardly repeats itself is packed at least as small as by Helm', async () => {
  let seed = 1;
  const digits = (): string => ((seed = (seed * 48_271) % 2_147_483_647) >>> 0).toString(16).padStart(8, '0');
  const manifest = Array.from({ length: 20_000 }, () => `- ${Array.from({ length: 8 }, digits).join('')}`).join('\n');
  const release = newRelease('web', 1, 'deployed', { manifest });
  const encoded = await encodeRelease(release);
  expect(jsonIn(encoded)).toBe(releaseJson(release));
  expect(encoded.length).toBeLessThan(smallest(release));
});
