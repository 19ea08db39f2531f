import { describe, expect, test } from 'vitest';
import cases from '../../fixtures/ignore/cases.json' with { type: 'json' };
import expected from '../../fixtures/ignore/expected.json' with { type: 'json' };
import { parseIgnoreRules } from '../../src/chart/ignore.ts';
import { messageOf } from '../../src/support/errors.ts';

function ignored(rules: readonly string[], paths: readonly string[]): unknown {
  try {
    const isIgnored = parseIgnoreRules(rules.join('\n'));
    return { ignored: paths.filter((path) => isIgnored(path.replace(/\/$/, ''), path.endsWith('/'))) };
  } catch (error) {
    return { error: messageOf(error), ignored: [] };
  }
}

describe('.helmignore means what it means to Helm', () => {
  test.each(
    cases.cases.map(
      ({ rules, paths }, index) => [JSON.stringify(rules), rules, paths, expected.results[index]] as const,
    ),
  )('%s', (_title, rules, paths, result) => expect(ignored(rules, paths)).toEqual(result));
});
