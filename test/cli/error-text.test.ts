import { describe, expect, test } from 'vitest';
import { errorText, folded } from '../../src/cli/error-text.ts';
import { TshelmError } from '../../src/support/errors.ts';

describe('an error on a terminal', () => {
  test('is folded between words, and goes on indented', () => {
    expect(folded('Error: resource Deployment/a/web not ready\n  event: image not found at all\n', 25)).toBe(
      'Error: resource\n  Deployment/a/web not\n  ready\n  event: image not\n    found at all\n',
    );
  });

  test('of lines of files the part around the caret is shown', () => {
    const lines = '> 3 | image: a-very-long-name-of-an-image {{ .x }}\n';
    const caretBelow = (column: number): string => `    | ${' '.repeat(column - 1)}^\n`;
    expect(folded(lines, 21)).toBe('> 3 | image: a-very…\n');
    expect(folded(lines + caretBelow(5), 21)).toBe(`> 3 | image: a-very…\n${caretBelow(5)}`);
    expect(folded(`  2 | x\n${lines}${caretBelow(41)}`, 21)).toBe(`  2 | x\n> 3 | …e {{ .x }}\n${caretBelow(8)}`);
    const tight = folded(lines + caretBelow(41), 10).split('\n');
    expect(tight[0]?.[tight[1]?.indexOf('^') ?? 0]).toBe('x');
  });

  test('everything in a pipe stays as it is', () => {
    const long = `Error: ${'word '.repeat(40)}`;
    expect(folded(long, undefined)).toBe(long);
  });
});

test.each([
  ['tells more than its first line', 'Pod/a:\n  log: no', 'Pod/a:\n  log: no\n\nError: not ready\n'],
  ['says nothing beside its first line', '', 'Error: not ready\n'],
])('what was found out about a failure stands before it, and %s', (_what, diagnosis, text) => {
  const details = { unready: [], diagnosis, causes: [], gaps: [] };
  expect(errorText(new TshelmError('wait-failed', { message: 'not ready', details }))).toBe(text);
});

test('the templates of the objects at fault stand at the end, with the lines that are known', () => {
  const id = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name });
  const sources = [
    { id: id('web'), file: 'shop/templates/web.yaml', path: 'templates/web.yaml', line: 7 },
    { id: id('db'), file: 'shop/templates/db.yaml', path: 'templates/db.yaml' },
  ];
  const failure = new TshelmError('wait-failed', { message: 'not ready', details: { unready: [], sources } });
  expect(errorText(failure)).toBe(
    'Error: not ready\n\nDeployment/web is in shop/templates/web.yaml:7\nDeployment/db is in shop/templates/db.yaml\n',
  );
});
