import { describe, expect, test } from 'vitest';
import type { AnsweredObject, Write } from '../../e2e/support/audit.ts';
import { versionKey } from './chart-files.ts';
import { begunBeforeOutside, begunTooEarly, deletedTooEarly, strangers } from './witness.ts';

const write = (at: number, verb: Write['verb'], object: string, more: Partial<Write> = {}): Write => ({
  verb,
  resource: object.slice(0, object.lastIndexOf('/')),
  name: object.slice(object.lastIndexOf('/') + 1),
  isNamespaced: true,
  object,
  at,
  answered: at,
  code: 200,
  userAgent: 'tshelm',
  conditions: [],
  answer: undefined,
  ...more,
});

const answer = (version: number, status?: AnsweredObject['status']): { readonly answer: AnsweredObject } => ({
  answer: {
    metadata: { uid: 'u', generation: 1, annotations: { [versionKey]: String(version) } },
    ...(status === undefined ? {} : { status }),
  },
});
const ready = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
const [a, b] = ['deployments.apps/r-i0d', 'deployments.apps/r-i1d'] as const;
const status = 'deployments.apps/status/r-i0d';
const byController = { userAgent: 'kube-controller-manager' };

/** b waits for a. */
const early = (writes: readonly Write[], from = 0, hooks: readonly string[] = []) =>
  begunTooEarly({ writes, from, version: 1, hooks: new Set(hooks) }, [[b, a]]);

describe('what waits', () => {
  const sent = write(1, 'patch', a, answer(1));
  const begun = write(5, 'patch', b, answer(1));

  test('may begin when the other one is ready', () => {
    const isReady = write(3, 'update', status, { ...answer(1, ready), ...byController });
    expect(early([sent, isReady, begun])).toEqual([]);
    expect(early([sent, begun])).toHaveLength(1);
    expect(early([sent, begun, { ...isReady, at: 6 }])).toHaveLength(1);
  });

  test.each([
    ['it has old pods', { ...ready, replicas: 2 }],
    ['none is available', { ...ready, availableReplicas: 0 }],
    ['the controller has not seen the new template', { ...ready, observedGeneration: 0 }],
  ])('may not when %s', (_why, told) => {
    const notReady = write(3, 'update', status, { ...answer(1, told), ...byController });
    expect(early([sent, notReady, begun])).toHaveLength(1);
  });

  test('may not when the other one is missing, deleted, or of another version', () => {
    const isReady = write(3, 'update', status, { ...answer(1, ready), ...byController });
    expect(early([begun])).toEqual([expect.stringContaining('it was not sent')]);
    expect(early([sent, isReady, write(4, 'delete', a), begun])).toEqual([expect.stringContaining('it was deleted')]);
    const old = [write(1, 'patch', a, answer(0)), { ...isReady, ...answer(0, ready) }];
    expect(early([...old, begun])).toEqual([expect.stringContaining('it was of version 0, not 1')]);
  });

  test('may begin when the other one was ready before and did not change', () => {
    const before = [
      write(-9, 'patch', a, answer(0)),
      write(-8, 'update', status, { ...answer(0, ready), ...byController }),
    ];
    expect(early([...before, sent, begun])).toEqual([]);
  });

  test('may begin when a hook is done and gone', () => {
    const done = write(2, 'patch', status, { ...answer(1, ready), ...byController });
    expect(early([sent, done, write(3, 'delete', a), begun], 0, [a])).toEqual([]);
  });
});

test('what needs something outside may not begin before that was available in this run', () => {
  const outside = (at: number) =>
    write(at, 'update', 'deployments.apps/status/outside', { ...byController, conditions: ['Available'] });
  const begun = write(5, 'patch', b, answer(1));
  const judged = (...writes: readonly Write[]) =>
    begunBeforeOutside({ writes, from: 1, version: 1, hooks: new Set() }, [b], 'outside');
  expect(judged(outside(3), begun)).toEqual([]);
  expect(judged(begun, outside(6))).toHaveLength(1);
  expect(judged(outside(0), begun)).toHaveLength(1);
});

describe('what is waited for', () => {
  const pod = 'pods/r-i1d-x';
  const sent = write(1, 'patch', b, answer(1));
  const seen = write(2, 'patch', 'pods/status/r-i1d-x', byController);
  const asked = [write(3, 'delete', b), write(5, 'delete', a)];
  const early = (writes: readonly Write[]) => deletedTooEarly({ writes, from: 0 }, [[b, a]]);

  test('goes when what waits for it is gone, its pods too', () => {
    expect(early([sent, seen, ...asked, write(4, 'delete', pod, { userAgent: 'kwok' })])).toEqual([]);
    expect(early([sent, seen, ...asked, write(6, 'delete', pod, { userAgent: 'kwok' })])).toEqual([
      expect.stringContaining('r-i1d-x'),
    ]);
    expect(early([sent, write(5, 'delete', a)])).toHaveLength(1);
  });

  test('a deletion that was refused is none', () => {
    expect(early([sent, write(3, 'delete', b, { code: 503 }), write(5, 'delete', a)])).toHaveLength(1);
  });
});

test('objects, records and the lock of the release are its own, and nothing else is', () => {
  const own = ['configmaps/r-i0c', 'secrets/sh.helm.release.v1.r.v1', 'leases.coordination.k8s.io/tshelm.r'];
  const others = ['configmaps/r2-a', 'secrets/sh.helm.release.v1.r2.v1', 'leases.coordination.k8s.io/tshelm.r2'];
  const writes = [...own, ...others].map((object) => write(1, 'patch', object));
  expect(strangers(writes, 'r')).toHaveLength(others.length);
  expect(strangers([write(1, 'patch', 'configmaps/x', byController)], 'r')).toEqual([]);
});
