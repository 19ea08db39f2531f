import { describe, expect, test } from 'vitest';
import { hookMistakes } from '../../src/manifest/hook-mistakes.ts';

describe('what is wrong with a hook', () => {
  test.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['nothing', { 'helm.sh/hook': 'pre-install,Post-Upgrade , test-success', 'helm.sh/hook-weight': '-5' }, []],
    ["Helm 2's events", { 'helm.sh/hook': 'crd-install, test-failure' }, []],
    ['a weight given as a number', { 'helm.sh/hook': 'test', 'helm.sh/hook-weight': 3 }, []],
    ['no delete timeout at all', { 'helm.sh/hook-delete-timeout': '0' }, []],
    [
      'a misspelt event',
      { 'helm.sh/hook': 'pre-instal' },
      ['helm.sh/hook has the unknown value "pre-instal", so the hook is ignored; did you mean pre-install?'],
    ],
    [
      'a weight that is no number',
      { 'helm.sh/hook-weight': 'abc' },
      ['helm.sh/hook-weight is "abc", which is not a whole number and counts as 0'],
    ],
    [
      'an unknown delete policy',
      { 'helm.sh/hook-delete-policy': 'hook-succeeded,always' },
      [
        'helm.sh/hook-delete-policy has the unknown value "always", so the value has no effect; use one of before-hook-creation, hook-succeeded, hook-failed',
      ],
    ],
    [
      'an unknown log policy',
      { 'helm.sh/hook-output-log-policy': 'hook-faild' },
      [
        'helm.sh/hook-output-log-policy has the unknown value "hook-faild", so the value has no effect; did you mean hook-failed?',
      ],
    ],
    ...['soon', '-1', '1.5', ''].map((text): [string, Readonly<Record<string, unknown>>, readonly string[]] => [
      `the delete timeout ${JSON.stringify(text)}`,
      { 'helm.sh/hook-delete-timeout': text },
      [
        `helm.sh/hook-delete-timeout is ${JSON.stringify(text)}, which is not a whole number of seconds and counts as 60`,
      ],
    ]),
  ])('%s', (_what, given, messages) => expect(hookMistakes(given).map(({ message }) => message)).toEqual(messages));
});
