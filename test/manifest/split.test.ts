import { expect, test } from 'vitest';
import { splitDocuments } from '../../src/manifest/split.ts';

// Expected values: releaseutil.SplitManifests of Helm v4.3.1.
test.each<[string, string, string[]]>([
  ['one line of dashes', 'a: 1\n---\nb: 2\n', ['a: 1\n', 'b: 2\n']],
  ['blank documents are left out', '\n\n---\na: 1\n---\n\n---\n---\nb: 2', ['a: 1\n', 'b: 2']],
  [
    'a document beside the dashes',
    '---apiVersion: v1\nkind: A\n---  \t kind: B\n',
    ['apiVersion: v1\nkind: A\n', 'kind: B\n'],
  ],
  ['carriage returns', 'a: 1\r\n---\r\nb: 2\r\n', ['a: 1\r\n', 'b: 2\r\n']],
  ['dashes inside a block', 'a: |\n  x\n  ---\n  y\n', ['a: |\n  x\n  ---\n  y\n']],
  ['comments alone are documents', '# comment\n---\n# other\n', ['# comment\n', '# other\n']],
  ['a comment beside the dashes', "a: '---'\n--- # c\nb: 2\n", ["a: '---'\n", '# c\nb: 2\n']],
  ['nothing but space', '   \n\t\n', []],
  ['nothing', '', []],
  ['four dashes', '----\na: 1\n', ['-\na: 1\n']],
  ['leading indentation is lost', 'a: 1\n---\n\n   indented: 1\n', ['a: 1\n', 'indented: 1\n']],
  ["Go's space, and a byte order mark", '\u0085\u00a0a: 1\n---\ufeffb: 2', ['a: 1\n', '\ufeffb: 2']],
  ['a line separator begins no line', 'a: x\u2028---\nb: 2', ['a: x\u2028---\nb: 2']],
  ['the end of a document', 'a: 1\n...\n---\nb', ['a: 1\n...\n', 'b']],
])('%s', (_rule, text, documents) => expect(splitDocuments(text)).toEqual(documents));
