import { expect, test } from 'vitest';
import { comparedPreviews } from '../../../src/actions/comparison/compared-previews.ts';
import type { ShownOptions } from '../../../src/actions/comparison/object-diff.ts';
import type { Preview } from '../../../src/execute/preview/preview.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';
import { SecretWords } from '../../../src/support/secret-words.ts';

const object = (kind: string, data: Readonly<Record<string, string>>): KubernetesObject =>
  ({ apiVersion: 'v1', kind, metadata: { name: 'settings', namespace: 'default' }, data }) as KubernetesObject;

const previewOf = (live: KubernetesObject, result: KubernetesObject): Preview => ({
  id: { apiVersion: 'v1', kind: live.kind, namespace: 'default', name: 'settings' },
  live,
  result,
  notes: [],
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test('an object is compared before the server has answered for the others', async () => {
  const [before, after] = [object('ConfigMap', { size: '1' }), object('ConfigMap', { size: '2' })];
  const order: string[] = [];
  let answer: (preview: Preview) => void = () => {};
  const late = new Promise<Preview>((resolve) => {
    answer = resolve;
  });
  const watched = Object.defineProperty({ ...after }, 'data', {
    enumerable: true,
    get: () => {
      order.push('compared');
      return { size: '2' };
    },
  });
  const live = Promise.resolve([before]);
  const comparing = comparedPreviews(
    Promise.resolve({ live, previews: [Promise.resolve(previewOf(before, watched)), late] }),
    Promise.resolve<ShownOptions>({ secrets: new SecretWords() }),
  );
  await new Promise((resolve) => setImmediate(resolve));
  order.push('answered');
  answer(previewOf(before, before));
  const [first, second] = await comparing;
  expect(order[0]).toBe('compared');
  expect(first?.compared).toMatchObject({ change: 'changed', before: { data: { size: '1' } } });
  expect(second?.compared).toEqual({ change: 'unchanged', random: [] });
});

test('what a Secret holds that was written meanwhile is masked everywhere', async () => {
  const secrets = new SecretWords();
  const [old, now] = [
    object('Secret', { key: base64('first-word') }),
    object('Secret', { key: base64('second-word') }),
  ];
  const map = previewOf(object('ConfigMap', { url: 'first-word' }), object('ConfigMap', { url: 'second-word' }));
  const compared = await comparedPreviews(
    Promise.resolve({
      live: Promise.resolve([old, map.live as KubernetesObject]),
      previews: [Promise.resolve(map), Promise.resolve(previewOf(now, now))],
    }),
    Promise.resolve<ShownOptions>({ secrets }),
  );
  expect(compared.map((one) => one.compared)).toEqual([undefined, undefined]);
  expect(secrets.redact('the url is second-word')).toBe('the url is ***');
});
