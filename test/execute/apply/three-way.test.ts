import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { threeWayPatch } from '../../../src/execute/apply/three-way.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';
import { mergePatch } from '../../cluster/fake-objects.ts';

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

test('creationTimestamp: null, as generators write it, is no change', () => {
  const map = (creationTimestamp: string | null): KubernetesObject =>
    ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', creationTimestamp } }) as KubernetesObject;
  expect(threeWayPatch(map(null), map(null), map('2026-01-02T03:04:05Z'))).toBeUndefined();
});

describe('a list whose keys do not tell its items apart', () => {
  const dns = (...ports: readonly object[]): KubernetesObject =>
    ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'dns' }, spec: { ports } }) as KubernetesObject;
  const udp = { port: 53, protocol: 'UDP', name: 'u' };
  const tcp = { port: 53, name: 't' };
  const liveUdp = { ...udp, targetPort: 53 };
  const liveTcp = { ...tcp, protocol: 'TCP', targetPort: 53 };

  test('no patch where the live items say what the manifest says', () => {
    expect(threeWayPatch(dns(udp, tcp), dns(udp, tcp), dns(liveUdp, liveTcp))).toBeUndefined();
  });

  test('an item that changes is sent as it is, the others as they are live', () => {
    const changed = { ...tcp, targetPort: 5353 };
    expect(threeWayPatch(dns(udp, tcp), dns(udp, changed), dns(liveUdp, liveTcp))).toEqual({
      spec: { ports: [liveUdp, changed] },
    });
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
