import { describe, expect, test } from 'vitest';
import { deployedRevision, lastRevision, revisionsToPrune } from '../../src/release/history.ts';
import { mergeLabels } from '../../src/release/labels.ts';
import { isValidReleaseName, validateReleaseName } from '../../src/release/name.ts';
import type { ReleaseStatus } from '../../src/release/types.ts';
import { formatTime, formatUtcTime } from '../../src/support/time.ts';
import { releaseOf } from './releases.ts';

const revisions = (...statuses: ReleaseStatus[]) =>
  statuses.map((status, index) => releaseOf('web', index + 1, status));

test('the last revision is the one with the highest number', () => {
  expect(lastRevision('web', revisions('superseded', 'deployed').reverse()).version).toBe(2);
  expect(() => lastRevision('web', [])).toThrow('release: not found');
});

test('the deployed revision is the newest deployed one', () => {
  expect(deployedRevision(revisions('deployed', 'deployed', 'failed'))?.version).toBe(2);
  expect(deployedRevision(revisions('failed'))).toBeUndefined();
});

// The rule is storage.removeLeastRecent's.
describe('what --history-max prunes before one more is created', () => {
  test.each<[string, ReleaseStatus[], number, number[]]>([
    ['no limit', ['superseded', 'superseded', 'deployed'], 0, []],
    ['room enough', ['superseded', 'deployed'], 3, []],
    ['the oldest go', ['superseded', 'superseded', 'superseded', 'deployed'], 3, [1, 2]],
    ['the deployed one stays, whatever its age', ['deployed', 'failed', 'failed', 'failed'], 3, [2, 3]],
    ['nothing deployed', ['failed', 'failed', 'failed'], 2, [1, 2]],
    ['a history of one', ['deployed'], 1, []],
    ['a history of one, with older ones', ['superseded', 'failed', 'deployed'], 1, [1, 2]],
  ])('%s', (_what, statuses, maxHistory, pruned) => {
    expect(revisionsToPrune(revisions(...statuses), maxHistory).map(({ version }) => version)).toEqual(pruned);
  });
});

// validate_name_test.go
describe('release names', () => {
  test.each<[string, boolean]>([
    ['nina', true],
    ['nina-pinta', true],
    ['a.b', true],
    ['1234567890', true],
    ['a'.repeat(53), true],
    ['a'.repeat(54), false],
    ['', false],
    ['Foo', false],
    ['foo-', false],
    ['-foo', false],
    ['foo_bar', false],
    ['foo..bar', false],
    ['foo\n', false],
  ])('%j: %s', (name, isValid) => expect(isValidReleaseName(name)).toBe(isValid));

  test('an empty one is called missing', () => expect(() => validateReleaseName('')).toThrow('no name provided'));
});

test('labels of an upgrade go over the old ones; null removes', () => {
  expect(mergeLabels({ a: '1', b: '2' }, { b: '3', a: 'null', c: '4' })).toEqual({ b: '3', c: '4' });
});

// time.Time's MarshalJSON.
test.each([
  [0, '1970-01-01T00:00:00Z'],
  [1_700_000_000_120, '2023-11-14T22:13:20.12Z'],
  [1_700_000_000_001, '2023-11-14T22:13:20.001Z'],
  [1_700_000_010_100, '2023-11-14T22:13:30.1Z'],
])('%i ms is written %s', (time, text) => {
  expect(formatUtcTime(new Date(time))).toBe(text);
  expect(Date.parse(formatTime(new Date(time)))).toBe(time);
});
