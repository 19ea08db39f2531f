import { describe, expect, test } from 'vitest';
import { asGitUrl, gitUrlAt, parseGitUrl, pinnedGitUrl } from '../../../src/source/git/reference.ts';
import { TshelmError } from '../../../src/support/errors.ts';

const defaults = { username: '', password: '', path: '', ref: '', isSparse: false, fetchesDependencies: true };

describe('a URL of a git repository', () => {
  test.each([
    ['git+https://a.example/x/y', { remote: 'https://a.example/x/y' }],
    ['git+https://a.example/x/y.git@', { remote: 'https://a.example/x/y.git' }],
    ['GIT+HTTPS://a.example/x@c?ref=v1', { remote: 'https://a.example/x', path: 'c', ref: 'v1' }],
    ['git+https://a.example/x?ref=v1.2.3+4', { remote: 'https://a.example/x', ref: 'v1.2.3+4' }],
    ['git+https://a.example/x@c/d/?ref=a/b', { remote: 'https://a.example/x', path: 'c/d', ref: 'a/b' }],
    ['git+https://a.example/x//c/./d', { remote: 'https://a.example/x', path: 'c/d' }],
    ['git+https://a.example:8443/x@a%20b', { remote: 'https://a.example:8443/x', path: 'a b' }],
    [
      'git+https://jo:p%40w@a.example/x@c',
      { remote: 'https://a.example/x', path: 'c', username: 'jo', password: 'p@w' },
    ],
    ['git+https://jo:100%@a.example/x', { remote: 'https://a.example/x', username: 'jo', password: '100%' }],
    ['git+ssh://git@a.example/x/y@c', { remote: 'ssh://git@a.example/x/y', path: 'c' }],
    ['git+ssh://git:secret@a.example/x', { remote: 'ssh://git@a.example/x' }],
    ['git+file:///srv/x.git/index.yaml?ref=v1', { remote: 'file:///srv/x.git', path: 'index.yaml', ref: 'v1' }],
    ['git+file:///srv/x.git@c/index.yaml', { remote: 'file:///srv/x.git', path: 'c/index.yaml' }],
    ['git+file:///srv/x.git@/c.tgz', { remote: 'file:///srv/x.git', path: 'c.tgz' }],
    ['git+file:///srv/x.git@c', { remote: 'file:///srv/x.git', path: 'c' }],
    [
      'git+http://a.example/x@c?sparse=1&depupdate=0',
      { remote: 'http://a.example/x', path: 'c', isSparse: true, fetchesDependencies: false },
    ],
    ['git+https://a.example/x@c?depth=1&package=0&ref=v1', { remote: 'https://a.example/x', path: 'c', ref: 'v1' }],
  ])('%s', (url, expected) => expect(parseGitUrl(url)).toEqual({ ...defaults, ...expected }));

  test.each([
    ['git+ext://sh -c x', 'git fetches over https, http, ssh, file, not over ext'],
    ['git+https://', 'it names no repository'],
    ['git+https://a.example', 'it names no repository'],
    ['git+https://a.example/@c', 'it names no repository'],
    ['git+file://host/x', 'it names no repository'],
    ['git+https://a.example/x@../../etc', 'its path leads out of the repository'],
    ['git+https://a.example/x@a/%2e%2e/%2e%2e/b', 'its path leads out of the repository'],
    ['git+https://a.example/x y', 'it has control characters or spaces'],
    ['git+https://a.example/x\n@c', 'it has control characters or spaces'],
    ['git+https://jo:a%0Ahost=b@a.example/x', 'its user or password has control characters'],
    [
      'git+https://a.example/x?reff=v1',
      '"reff" is not a setting of a git URL; there are ref, sparse, depupdate, depth',
    ],
    ['git+https://a.example/x?ref=v1&Sparse=1', '"Sparse" is not a setting of a git URL'],
    ['git+https://a.example/x?sparse=true', 'sparse is 0 or 1'],
    ['git+https://a.example/x?sshkey=abc', 'sshkey is not supported'],
    ...['--upload-pack=x', '-x', 'a..b', 'a:b', 'a b', 'a^{}', 'a~1', '@{-1}', 'a.lock', '/a', 'a/', 'a//b'].map(
      (ref): [string, string] => [
        `git+https://a.example/x?ref=${encodeURIComponent(ref)}`,
        'is not the name of a branch, a tag or a commit',
      ],
    ),
  ])('%j is refused', (url, reason) => {
    const parse = () => parseGitUrl(url);
    expect(parse).toThrow(TshelmError);
    expect(parse).toThrow(reason);
  });

  test('a message has no password', () =>
    expect(() => parseGitUrl('git+https://jo:hunter2@a.example/x@../y')).toThrow(
      'git+https://jo:xxxxx@a.example/x@../y: its path leads out of the repository',
    ));
});

test.each([
  ['git::https://a.example/x//c?ref=v1', 'git+https://a.example/x//c?ref=v1'],
  ['git::ssh://git@a.example/x@c', 'git+ssh://git@a.example/x@c'],
  ['git::git@a.example:team/x.git@c?ref=v1', 'git+ssh://git@a.example/team/x.git@c?ref=v1'],
  ['https://a.example/x', 'https://a.example/x'],
  ['./git::x', './git::x'],
])('%s is the URL %s', (text, url) => expect(asGitUrl(text)).toBe(url));

test('a URL at a commit keeps what it says of fetching, and no password', () =>
  expect(gitUrlAt('git+https://jo:x@a.example/x@c?sparse=1&depupdate=0&ref=main', 'd/e f', 'c0ffee')).toBe(
    'git+https://a.example/x@d/e%20f?ref=c0ffee&sparse=1&depupdate=0',
  ));

test('a pinned URL is the same but for its ref', () =>
  expect(pinnedGitUrl('git+https://jo:x@a.example/x@c?ref=main&sparse=1', 'c0ffee')).toBe(
    'git+https://jo:x@a.example/x@c?ref=c0ffee&sparse=1',
  ));
