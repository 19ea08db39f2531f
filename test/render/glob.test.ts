import { expect, test } from 'vitest';
import { globMatcher } from '../../src/render/glob.ts';

// Expected values: github.com/gobwas/glob v0.2.3, Compile(pattern, '/'), and everything where that fails.
test.each<[string, string[], string[]]>([
  ['conf/*', ['conf/a', 'conf/a.txt', 'conf/'], ['conf/a/b', 'conf', 'xconf/a']],
  ['conf/**', ['conf/a', 'conf/a/b/c', 'conf/'], ['conf']],
  ['**.yaml', ['a.yaml', 'x/y/a.yaml', '.yaml'], ['a.yml']],
  ['*.yaml', ['a.yaml'], ['x/a.yaml']],
  ['a?c', ['abc', 'a.c'], ['ac', 'a/c']],
  ['[a-c]x', ['ax', 'cx'], ['dx', '-x']],
  ['[!a-c]x', ['dx', '/x'], ['ax']],
  ['[abc]', ['a', 'c'], ['d', 'ab']],
  ['[!abc]', ['d', '/'], ['a']],
  ['{a,b/*}.txt', ['a.txt', 'b/x.txt'], ['b/x/y.txt', 'c.txt']],
  ['{a,{b,c}}', ['a', 'b', 'c'], ['bc', 'd']],
  ['a\\*b', ['a*b'], ['axb']],
  ['a,b}', ['a,b}'], ['a']],
  ['a.b+c$', ['a.b+c$'], ['axb+c$']],
  ['-', ['-'], ['x']],
  ['[', ['anything/at/all', ''], []],
  ['[]', ['anything/at/all'], []],
  ['[b-a]', ['anything'], []],
  ['', [''], ['a']],
  // A RegExp would try these for years; Helm answers at once.
  ['a*a*a*a*a*a*a*a*b', [`${'a'.repeat(200)}b`], ['a'.repeat(200)]],
  ['**/**/**/**/**/**/**/**/x', [`${'d/'.repeat(60)}x`], [`${'d/'.repeat(60)}y`]],
  [`${'{a,aa,aaa}'.repeat(8)}*b`, [`${'a'.repeat(200)}b`], ['a'.repeat(200)]],
])('%s', (pattern, matching, others) => {
  const matches = globMatcher(pattern);
  expect([...matching, ...others].filter(matches)).toEqual(matching);
});
