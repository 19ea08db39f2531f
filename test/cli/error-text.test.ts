import { describe, expect, test } from 'vitest';
import { wrapForTerminal } from '../../src/cli/errors/error-text.ts';

describe('an error on a terminal', () => {
  test('is folded between words, and goes on indented', () => {
    expect(wrapForTerminal('Error: resource Deployment/a/web not ready\n  event: image not found at all\n', 25)).toBe(
      'Error: resource\n  Deployment/a/web not\n  ready\n  event: image not\n    found at all\n',
    );
    expect(wrapForTerminal('1. Deployment/web: no such image\n   where  templates/web.yaml:7: image: x\n', 25)).toBe(
      '1. Deployment/web: no\n   such image\n   where  templates/web.\n          yaml:7: image:\n          x\n',
    );
  });

  test('of lines of files the part around the caret is shown', () => {
    const lines = '> 3 | image: a-very-long-name-of-an-image {{ .x }}\n';
    const caretBelow = (column: number): string => `    | ${' '.repeat(column - 1)}^\n`;
    expect(wrapForTerminal(lines, 21)).toBe('> 3 | image: a-very…\n');
    expect(wrapForTerminal(lines + caretBelow(5), 21)).toBe(`> 3 | image: a-very…\n${caretBelow(5)}`);
    expect(wrapForTerminal(`  2 | x\n${lines}${caretBelow(41)}`, 21)).toBe(
      `  2 | x\n> 3 | …e {{ .x }}\n${caretBelow(8)}`,
    );
    const tight = wrapForTerminal(lines + caretBelow(41), 10).split('\n');
    expect(tight[0]?.[tight[1]?.indexOf('^') ?? 0]).toBe('x');
  });

  test('a word that is too long by one character is broken too', () => {
    expect(wrapForTerminal(`Error: ${'x'.repeat(23)} end`, 25)).toBe(`Error:\n  ${'x'.repeat(22)}\n  x end`);
  });

  test('everything in a pipe stays as it is', () => {
    const long = `Error: ${'word '.repeat(40)}`;
    expect(wrapForTerminal(long, undefined)).toBe(long);
  });
});
