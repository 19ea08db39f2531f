import { describe, expect, test } from 'vitest';
import { isSameUrl, joinUrl, resolveReferenceUrl } from '../../../src/source/repository/url.ts';

// The answers are those of Helm v4.3.1: repo.ResolveReferenceURL, urlutil.Equal, urlutil.URLJoin.

test.each([
  ['http://h/charts', 'a-1.tgz', 'http://h/charts/a-1.tgz'],
  ['http://h/charts/', 'a-1.tgz', 'http://h/charts/a-1.tgz'],
  ['http://h/charts', '../a.tgz', 'http://h/a.tgz'],
  ['http://h/charts', '/a.tgz', 'http://h/a.tgz'],
  ['http://h/charts?k=1', 'a.tgz?x=2', 'http://h/charts/a.tgz?k=1'],
  ['http://h/c', 'https://o/a.tgz?q', 'https://o/a.tgz?q'],
  ['http://h', 'a.tgz', 'http://h/a.tgz'],
  ['http://h/c', '//o/a.tgz', 'http://o/a.tgz'],
  ['http://h/c/', './x/../a.tgz', 'http://h/c/a.tgz'],
  ['http://h/c', '', 'http://h/c/'],
  ['http://u:p@h:1/c', 'a+b.tgz', 'http://u:p@h:1/c/a+b.tgz'],
  ['http://h/c', 'a.tgz#f', 'http://h/c/a.tgz#f'],
  ['http://h/c', '../../../a/', 'http://h/a/'],
  [
    'https://h/api/v4/projects/group%2Fproject/packages/helm/stable',
    'a.tgz',
    'https://h/api/v4/projects/group%2Fproject/packages/helm/stable/a.tgz',
  ],
  ['http://h/c%2fd', '../a%2Fb.tgz', 'http://h/a%2Fb.tgz'],
  ['http://h/a b', 'c.tgz', 'http://h/a%20b/c.tgz'],
])('below %s, %s is %s', (base, reference, url) => expect(resolveReferenceUrl(base, reference)).toBe(url));

describe('two URLs are one', () => {
  test.each([
    ['http://h', 'http://h/', true],
    ['http://h/a/', 'http://h/a', true],
    ['http://h/a//b', 'http://h/a/b', true],
    ['http://h/a/../b', 'http://h/b', true],
    ['http://h/a?x', 'http://h/a', false],
    ['http://H/a', 'http://h/a', false],
    ['./a', 'a', true],
    ['http://h:80/', 'http://h/', false],
    ['http://h/a%2Fb', 'http://h/a/b', false],
  ])('%s and %s: %s', (a, b, answer) => expect(isSameUrl(a, b)).toBe(answer));
});

test.each([
  ['http://h/a/', 'b', 'http://h/a/b'],
  ['', 'b.tgz', 'b.tgz'],
  ['http://h', 'b/c.tgz', 'http://h/b/c.tgz'],
  ['/x', '../b', '/b'],
  ['sub', '', 'sub'],
])('%s joined with %s is %s', (base, element, url) => expect(joinUrl(base, element)).toBe(url));
