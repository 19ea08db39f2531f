import { expect, test } from 'vitest';
import { plainWords } from '../../src/cli/errors/plain-words.ts';

const at = (file: string, context: string, problem: string): string =>
  `${file}:7:22\n  executing "${file}" at <${context}>:\n    ${problem}`;
const nil = (context: string, field: string, file = 'shop/templates/web.yaml'): string =>
  at(file, context, `nil pointer evaluating interface {}.${field}`);

test.each([
  [
    nil('.Values.web.scaling.replicas', 'replicas'),
    `the value web.scaling is not set, so web.scaling.replicas cannot be read`,
  ],
  [nil('$.Values.web.a.b.c', 'b'), `the value web.a is not set, so web.a.b cannot be read`],
  [
    nil('.Values.web.port', 'port', 'shop/charts/db/templates/web.yaml'),
    `the value db.web is not set, so db.web.port cannot be read`,
  ],
  [
    nil('.Values.global.team.name', 'name', 'shop/charts/db/templates/web.yaml'),
    `the value global.team is not set, so global.team.name cannot be read`,
  ],
  [nil('$pod.port', 'port'), '$pod is null here, so $pod.port cannot be read'],
  [
    at('shop/templates/web.yaml', '.Values.web.scaling', "can't evaluate field scaling in type interface {}"),
    'web is set, but it is not a map, so web.scaling cannot be read',
  ],
  [at('a/templates/b.yaml', '.Values.hosts', "range can't iterate over x"), 'hosts is neither a list nor a map'],
  [
    'error calling include:\ntemplate: no template "shop.name" associated with template "gotpl"',
    'no template of the chart or of its subcharts has {{ define "shop.name" }}',
  ],
  [
    'parse error at (a/templates/b.yaml:8): unexpected EOF',
    'the file ends before the {{ end }} of an if, range, with, define or block',
  ],
  ["- at '/service/port': maximum: got 80,800, want 65,535", 'service.port is 80800 but may be at most 65535'],
  ["- at '/name': minLength: got 3, want 5", 'name has 3 characters but needs at least 5'],
  ["- at '/name': got string, want integer", ''],
  [
    'release name check failed: release name "My_App": invalid release name, must match regex ^x$',
    'a release name has lower case letters, digits, - and . alone, with a letter or digit at both ends, and 53 characters at most: my-app is one',
  ],
  ['release: not found', ''],
])('%s', (message, words) => expect(plainWords(`INSTALLATION FAILED: ${message}`, true)).toBe(words));

test('what a template failed of is told in Helm’s words alone, where no place is shown', () =>
  expect(plainWords(nil('.Values.web.port', 'port'), false)).toBe(''));
