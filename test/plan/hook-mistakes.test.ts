import { describe, expect, test } from 'vitest';
import { hookProblems } from '../../src/plan/hook-mistakes.ts';
import { chartOf } from './charts.ts';

const weight = 'helm.sh/hook-weight';
const timeout = 'helm.sh/hook-delete-timeout';

describe('what is wrong with a hook', () => {
  test.each<[string, Readonly<Record<string, unknown>>, readonly object[]]>([
    ['nothing', { 'helm.sh/hook': 'pre-install,Post-Upgrade , test-success', [weight]: '-5' }, []],
    ["Helm 2's events", { 'helm.sh/hook': 'crd-install, test-failure' }, []],
    ['a weight given as a number', { 'helm.sh/hook': 'test', [weight]: 3 }, []],
    ['no delete timeout at all', { [timeout]: '0' }, []],
    [
      'a misspelt event',
      { 'helm.sh/hook': 'pre-instal' },
      [{ code: 'hook-word-unknown', word: 'pre-instal', meant: 'pre-install', isEvent: true }],
    ],
    [
      'a weight that is no number',
      { [weight]: 'abc' },
      [{ code: 'hook-number-invalid', value: 'abc', why: 'not-whole', countsAs: 0 }],
    ],
    [
      'a weight that Go cannot hold',
      { [weight]: '9223372036854775808' },
      [{ code: 'hook-number-invalid', why: 'too-large', countsAs: 0 }],
    ],
    [
      'an unknown delete policy',
      { 'helm.sh/hook-delete-policy': 'hook-succeeded,always' },
      [
        {
          word: 'always',
          known: ['before-hook-creation', 'hook-succeeded', 'hook-failed'],
          meant: undefined,
          isEvent: false,
        },
      ],
    ],
    [
      'an unknown log policy',
      { 'helm.sh/hook-output-log-policy': 'hook-faild' },
      [{ word: 'hook-faild', meant: 'hook-failed', isEvent: false }],
    ],
    ['a timeout', { 'helm.sh/hook-timeout': '600' }, []],
    ['the timeout 0', { 'helm.sh/hook-timeout': '0' }, [{ code: 'hook-number-invalid', value: '0', why: 'zero' }]],
    ...['2147483648', '9'.repeat(20)].flatMap((value) =>
      ['helm.sh/hook-timeout', timeout].map((key): [string, Readonly<Record<string, unknown>>, readonly object[]] => [
        `${key} ${value}`,
        { [key]: value },
        [{ code: 'hook-number-invalid', value, why: 'too-large' }],
      ]),
    ),
    ['the largest timeout', { 'helm.sh/hook-timeout': '2147483647' }, []],
    ...['10m', ''].map((value): [string, Readonly<Record<string, unknown>>, readonly object[]] => [
      `the timeout ${JSON.stringify(value)}`,
      { 'helm.sh/hook-timeout': value },
      [{ code: 'hook-number-invalid', value, why: 'not-seconds' }],
    ]),
    ...['soon', '-1', '1.5', ''].map((value): [string, Readonly<Record<string, unknown>>, readonly object[]] => [
      `the delete timeout ${JSON.stringify(value)}`,
      { [timeout]: value },
      [{ code: 'hook-number-invalid', value, why: 'not-seconds', countsAs: 60 }],
    ]),
  ])('%s', async (_what, annotations, expected) => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations } };
    const chart = await chartOf({ 'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n' });
    const found = hookProblems(chart, object as never, 'shop/templates/a.yaml').map(({ cause }) => cause);
    expect(found).toEqual(expected.map((one) => expect.objectContaining({ resource: 'ConfigMap/a', ...one })));
  });
});
