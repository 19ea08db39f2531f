import { expect, test } from 'vitest';
import { touchedFields } from '../../src/saved-plan/found.ts';

const live = {
  metadata: { name: 'web', labels: { a: '1', b: '2' } },
  spec: {
    replicas: 2,
    paused: false,
    containers: [
      { name: 'main', image: 'nginx:1', env: [{ name: 'A', value: 'x' }] },
      { name: 'added', image: 'evil' },
    ],
    args: ['a', 'b'],
  },
};

test.each([
  ['what nobody sets is not touched', [{ metadata: { labels: { a: 'x' } } }], { metadata: { labels: { a: '1' } } }],
  [
    'what one of the samples sets is',
    [{ spec: { replicas: 1 } }, { spec: { paused: true } }],
    { spec: { replicas: 2, paused: false } },
  ],
  [
    'items of a list by their names',
    [{ spec: { containers: [{ name: 'main', image: 'nginx:2' }] } }],
    { spec: { containers: [{ name: 'main', image: 'nginx:1' }] } },
  ],
  ['a list of plain values as a whole', [{ spec: { args: ['a'] } }], { spec: { args: ['a', 'b'] } }],
  [
    'a list in place of something else as a whole',
    [{ spec: { containers: 'x' } }],
    { spec: { containers: live.spec.containers } },
  ],
  ['a list that is not there yet', [{ spec: { volumes: [{ name: 'v' }] } }], { spec: {} }],
  ['an item that is not there', [{ spec: { containers: [{ name: 'none' }] } }], { spec: { containers: [] } }],
])('%s', (_rule, samples, expected) => {
  expect(touchedFields(live, samples)).toEqual(expected);
});
