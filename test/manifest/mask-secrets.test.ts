import { expect, test } from 'vitest';
import { maskSecrets } from '../../src/manifest/mask-secrets.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { withoutServerState } from '../../src/manifest/without-server-state.ts';
import { SecretWords } from '../../src/support/secret-words.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (fields: object, metadata: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'pw', ...metadata },
  ...fields,
});

test('tells which values change, and neither a value nor its length', () => {
  const before = secret({ data: { same: base64('canary'), short: base64('canary-a'), gone: base64('canary-b') } });
  const after = secret({
    data: { same: base64('canary'), short: base64('canary-and-much-longer'), fresh: base64('canary-c') },
  });
  const [old, next] = maskSecrets(before, after);
  expect(old.data).toEqual({ same: '***', short: '*** (before)', gone: '***' });
  expect(next.data).toEqual({ same: '***', short: '*** (after)', fresh: '***' });
});

test('stringData counts as the data that the server makes of it', () => {
  const live = withoutServerState(secret({ data: { password: base64('canary') } }));
  const [old, next] = maskSecrets(live, withoutServerState(secret({ stringData: { password: 'canary', port: 5432 } })));
  expect(old.data).toEqual({ password: '***' });
  expect(next).toMatchObject({ data: { password: '***', port: '***' } });
  expect(next.stringData).toBeUndefined();
});

test.each([
  [
    'what kubectl noted down',
    { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":"canary-value"}' } },
  ],
  ['an annotation that repeats the value', { annotations: { note: 'it was canary-value before' } }],
  ['an annotation that repeats the stored value', { annotations: { note: base64('canary-value') } }],
  ['a label that repeats the value', { labels: { password: 'canary-value' } }],
])('hides %s', (_where, metadata) => {
  const object = withoutServerState(secret({ data: { password: base64('canary-value') } }, metadata));
  const text = JSON.stringify(maskSecrets(object, undefined)[0]);
  expect(text).not.toContain('canary');
  expect(text).not.toContain(base64('canary-value'));
});

test('hides what a misspelt field holds, and keeps name, type and whether it is immutable', () => {
  const [shown] = maskSecrets(secret({ datas: { a: 'canary' }, type: 'Opaque', immutable: true }), undefined);
  expect(shown).toEqual({ ...secret({ type: 'Opaque', immutable: true }), datas: '***' });
});

test('other kinds stay as they are', () => {
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { a: 'b' } };
  expect(maskSecrets(configMap, undefined)).toEqual([configMap, undefined]);
});

test('what the server keeps about an object is not meaningful', () => {
  const live = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'x',
      namespace: 'default',
      uid: '1',
      resourceVersion: '2',
      generation: 3,
      creationTimestamp: '2026-01-01T00:00:00Z',
      managedFields: [{}],
      labels: { a: 'b' },
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
    },
    data: { a: 'b' },
    status: { phase: 'x' },
  };
  expect(withoutServerState(live)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x', namespace: 'default', labels: { a: 'b' } },
    data: { a: 'b' },
  });
});

const configMap = (data: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x' },
  data,
});

test.each([
  ['a field', { a: 'rotated-away' }, { a: 'known-secret' }, { a: '*** (before)' }, { a: '*** (after)' }],
  [
    'a part of one',
    { a: 'u:rotated-away@h' },
    { a: 'u:known-secret@h' },
    { a: 'u:*** (before)@h' },
    { a: 'u:*** (after)@h' },
  ],
  ['a field that is otherwise, too', { a: 'rotated-away@old' }, { a: 'known-secret@h' }, { a: '***' }, { a: '***@h' }],
  [
    'a line of a file',
    { f: 'mode: a\nword: rotated-away\nport: 1\n' },
    { f: 'mode: b\nword: known-secret\nport: 1\n' },
    { f: 'mode: a\nword: *** (before)\nport: 1\n' },
    { f: 'mode: b\nword: *** (after)\nport: 1\n' },
  ],
  [
    'a line of a text',
    { f: 'visible\n  rotated-away\n' },
    { f: 'visible\n  known-secret\n' },
    { f: 'visible\n  *** (before)\n' },
    { f: 'visible\n  *** (after)\n' },
  ],
  [
    'nothing else',
    { a: 'one', b: 'x' },
    { a: 'known-secret', c: 'y' },
    { a: '*** (before)', b: 'x' },
    { a: '*** (after)', c: 'y' },
  ],
])(
  'what a secret replaces is hidden with it, and so is what replaces it: %s',
  (_what, old, next, shownOld, shownNext) => {
    const words = new SecretWords();
    words.add('known-secret');
    const [before, after] = maskSecrets(configMap(old), configMap(next), words);
    expect([before['data'], after['data']]).toEqual([shownOld, shownNext]);
    const [back, forth] = maskSecrets(configMap(next), configMap(old), words);
    const swapped = (data: object): unknown =>
      JSON.parse(
        JSON.stringify(data).replace(/\((before|after)\)/g, (_all, side: string) =>
          side === 'before' ? '(after)' : '(before)',
        ),
      );
    expect([back['data'], forth['data']]).toEqual([swapped(shownNext), swapped(shownOld)]);
  },
);

test('the masks of long texts take linear time', () => {
  const words = new SecretWords();
  words.add('known-secret');
  const file = (secret: string): string => Array.from({ length: 3_000 }, (_, line) => `k${line}: ${secret}`).join('\n');
  const [before] = maskSecrets(configMap({ f: file('rotated-away') }), configMap({ f: file('known-secret') }), words);
  expect(JSON.stringify(before)).not.toContain('rotated');
});
