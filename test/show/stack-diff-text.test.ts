import { expect, test } from 'vitest';
import type { ObjectDiff, ReleaseDiff } from '../../src/actions/comparison/object-diff.ts';
import { plainDiff } from '../../src/show/changes/diff-text.ts';
import { type StackDiff, stackDiffText } from '../../src/show/changes/stack-diff-text.ts';

const randomName = (kind: string, name: string): ObjectDiff => ({
  id: { apiVersion: 'v1', kind, namespace: 'default', name },
  change: 'unchanged',
  random: [{ path: 'metadata.name', value: name }],
  notes: [],
});
const diffOf = (release: string, more: Partial<ReleaseDiff>): StackDiff => ({
  context: 3,
  paint: plainDiff,
  diff: {
    action: 'upgrade',
    release,
    namespace: 'default',
    from: { revision: 1, chart: 'shop-1.0.0' },
    to: { revision: 2, chart: 'shop-1.0.0' },
    objects: [],
    hooks: [],
    warnings: [],
    reportedWarnings: [],
    ...more,
  },
});

test('releases in which only the names of hooks are made anew are counted', () => {
  const hooks = (name: string) => ({ hooks: [randomName('Pod', name)] });
  expect(stackDiffText([diffOf('a', hooks('test-x1')), diffOf('b', hooks('test-y2')), diffOf('c', {})])).toBe(
    'no changes in 3 releases\n',
  );
});

test('an object of the release that is made anew is shown, once for all releases that have it', () => {
  const objects = (name: string) => ({ objects: [randomName('ConfigMap', name)] });
  const text = stackDiffText([diffOf('a', objects('job-x1')), diffOf('b', objects('job-y2'))]);
  expect(text).toContain('differs at each render: metadata.name');
  expect(text).toContain('the same in 1 more release: b in default\n');
});
