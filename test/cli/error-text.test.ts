import { describe, expect, test } from 'vitest';
import { errorText, folded } from '../../src/cli/error-text.ts';
import { TshelmError } from '../../src/support/errors.ts';

describe('an error on a terminal', () => {
  test('is folded between words, and goes on indented', () => {
    expect(folded('Error: resource Deployment/a/web not ready\n  event: image not found at all\n', 25)).toBe(
      'Error: resource\n  Deployment/a/web not\n  ready\n  event: image not\n    found at all\n',
    );
  });

  test('lines of files stay as they are, and so does everything in a pipe', () => {
    const excerpt = '> 3 | image: a-very-long-name-of-an-image\n';
    expect(folded(excerpt, 20)).toBe(excerpt);
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
    { id: id('web'), file: 'shop/templates/web.yaml', line: 7 },
    { id: id('db'), file: 'shop/templates/db.yaml' },
  ];
  const failure = new TshelmError('wait-failed', { message: 'not ready', details: { unready: [], sources } });
  expect(errorText(failure)).toBe(
    'Error: not ready\n\nDeployment/web is in shop/templates/web.yaml:7\nDeployment/db is in shop/templates/db.yaml\n',
  );
});
