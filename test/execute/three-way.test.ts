import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { threeWayPatch } from '../../src/execute/three-way.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { mergePatch } from '../cluster/fake-objects.ts';

interface Case {
  readonly name: string;
  readonly original: KubernetesObject;
  readonly target: KubernetesObject;
  readonly live: KubernetesObject;
  /** What strategicpatch makes of the live object with CreateThreeWayMergePatch. */
  readonly result: object;
}

const cases = JSON.parse(readFileSync(new URL('fixtures/three-way.json', import.meta.url), 'utf8')) as Case[];

describe('a built-in kind: the result is that of strategicpatch', () => {
  test.each(cases)('$name', ({ original, target, live, result }) => {
    const patch = threeWayPatch(original, target, live);
    expect(patch === undefined ? live : mergePatch(live, patch)).toEqual(result);
  });

  test('no patch where nothing changes', () => {
    const { original, target, live } = cases.find(({ name }) => name === 'nothing changes') as Case;
    expect(threeWayPatch(original, target, live)).toBeUndefined();
  });
});

describe('a custom resource: only what changed between the manifests', () => {
  const widget = (spec: object): KubernetesObject =>
    ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec }) as KubernetesObject;
  test.each<[string, object, object, object, object | undefined]>([
    ['drift stays', { a: 1 }, { a: 1 }, { a: 9 }, undefined],
    ['a change is sent', { a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 9 }, { spec: { a: 2 } }],
    ['a lost field goes', { a: 1, b: 1 }, { a: 1 }, { a: 1, b: 1 }, { spec: { b: null } }],
    ['lists are replaced', { l: [{ name: 'a' }] }, { l: [{ name: 'b' }] }, { l: [] }, { spec: { l: [{ name: 'b' }] } }],
  ])('%s', (_what, original, target, live, patch) => {
    expect(threeWayPatch(widget(original), widget(target), widget(live))).toEqual(patch);
  });
});
