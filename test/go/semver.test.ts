import { describe, expect, test } from 'vitest';
import cases from '../../fixtures/semver/cases.json' with { type: 'json' };
import expected from '../../fixtures/semver/expected.json' with { type: 'json' };
import {
  compareVersions,
  isCompatibleRange,
  parseConstraint,
  parseVersion,
  satisfies,
  type Version,
  versionText,
} from '../../src/go/semver.ts';
import { messageOf } from '../../src/support/errors.ts';

const [{ versions, constraints }] = cases.cases as [(typeof cases.cases)[number]];
const [result] = expected.results as [(typeof expected.results)[number]];

function attempt(work: () => string): string {
  try {
    return work();
  } catch (error) {
    return `error: ${messageOf(error)}`;
  }
}

const good: Version[] = versions.filter((_, index) => !result.versions[index]?.startsWith('error: ')).map(parseVersion);

describe('versions are those of Masterminds/semver', () => {
  test.each(versions.map((text, index) => [text.slice(0, 60), text, result.versions[index]] as const))(
    '%j',
    (_title, text, wanted) => expect(attempt(() => versionText(parseVersion(text)))).toBe(wanted),
  );

  test('and so is their order', () => {
    expect([...good].sort(compareVersions).map(({ original }) => original)).toEqual(result.sorted);
  });
});

describe('constraints are those of Masterminds/semver', () => {
  test.each(constraints.map((text, index) => [text.slice(0, 60), text, result.constraints[index]] as const))(
    '%j',
    (_title, text, wanted) => {
      const digits = (): string => {
        const constraint = parseConstraint(text);
        return good.map((version) => (satisfies(constraint, version) ? '1' : '0')).join('');
      };
      expect(attempt(digits)).toBe(wanted);
    },
  );
});

test('a range or a version that is none is not compatible', () => {
  expect(isCompatibleRange('nonsense', '1.0.0')).toBe(false);
  expect(isCompatibleRange('>=1', 'nonsense')).toBe(false);
  expect(isCompatibleRange('>=1', '1.0.0')).toBe(true);
});

test('blanks without end are read in no time', () => {
  expect(() => parseConstraint(`1${'  1'.repeat(160)}!`)).toThrow('improper constraint');
});
