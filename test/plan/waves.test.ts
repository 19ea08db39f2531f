import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../src/manifest/types.ts';
import { applyWaves, deleteWaves, inWaves, kindsOfWaves } from '../../src/plan/waves.ts';
import { manifestsOf, namesOf } from './manifests.ts';

describe('what is applied together', () => {
  test.each<[string, string[], string[][]]>([
    ['one kind, one wave', ['ConfigMap/b', 'ConfigMap/a'], [['ConfigMap/b', 'ConfigMap/a']]],
    [
      "Helm's order inside a wave",
      ['CronJob/c', 'Deployment/d', 'Ingress/i'],
      [['Deployment/d', 'CronJob/c', 'Ingress/i']],
    ],
    [
      'a barrier where the API server checks one against another',
      [
        'example.com/v1 Widget/w',
        'ValidatingWebhookConfiguration/v',
        'Pod/p',
        'Service/s',
        'RoleBinding/rb',
        'Role/r',
        'CustomResourceDefinition/c',
        'ServiceAccount/sa',
        'Namespace/n',
        'PriorityClass/pc',
      ],
      [
        ['PriorityClass/pc', 'Namespace/n'],
        ['ServiceAccount/sa', 'CustomResourceDefinition/c', 'Role/r', 'Service/s'],
        ['RoleBinding/rb', 'Pod/p'],
        ['ValidatingWebhookConfiguration/v'],
        ['Widget/w'],
      ],
    ],
  ])('%s', (_what, names, expected) => expect(applyWaves(manifestsOf(...names)).map(namesOf)).toEqual(expected));
});

describe('what is deleted together', () => {
  test.each<[string, string[], string[][]]>([
    [
      'webhooks first, what others use last',
      [
        'Namespace/n',
        'Secret/s',
        'example.com/v1 Widget/w',
        'Deployment/d',
        'MutatingWebhookConfiguration/m',
        'Service/v',
      ],
      [['MutatingWebhookConfiguration/m'], ['Service/v', 'Deployment/d', 'Widget/w'], ['Secret/s'], ['Namespace/n']],
    ],
  ])('%s', (_what, names, expected) => expect(deleteWaves(manifestsOf(...names)).map(namesOf)).toEqual(expected));
});

describe("what is due, in a plan's waves", () => {
  const planned = [['Namespace'], ['ServiceAccount', 'Service'], ['Pod']];
  const kindOf = ({ object }: Manifest): string => object.kind;

  test('the kinds of waves, each once and in its order', () => {
    const all = manifestsOf('Pod/p', 'Service/b', 'Service/a', 'ServiceAccount/sa', 'Namespace/n');
    expect(kindsOfWaves(applyWaves(all))).toEqual(planned);
  });

  test('waves without anything due are passed over; objects of one kind keep their order', () => {
    const due = manifestsOf('Pod/p', 'Service/b', 'ServiceAccount/sa', 'Service/a');
    expect(inWaves(due, kindOf, planned).map(namesOf)).toEqual([
      ['ServiceAccount/sa', 'Service/b', 'Service/a'],
      ['Pod/p'],
    ]);
  });

  test('a kind that the plan does not know is a mistake of ours', () => {
    expect(() => inWaves(manifestsOf('Secret/s'), kindOf, planned)).toThrow('internal: a kind is in no wave');
  });
});
