import { expect, test } from 'vitest';
import type { InstallOptions } from '../../src/actions/options/install.ts';
import type { UninstallOptions } from '../../src/actions/options/uninstall.ts';
import { type FlagRows, type FlagsOf, optionsOf } from '../../src/change/option-rows.ts';

const rows = {
  atomic: { type: 'bool', option: 'rollbackOnFailure', description: '' },
  'rollback-on-failure': { type: 'bool', option: 'rollbackOnFailure', description: '' },
  timeout: { type: 'duration', option: 'timeoutMs', default: 300_000, description: '' },
  labels: { type: 'stringToString', option: 'labels', as: (labels) => Object.fromEntries(labels), description: '' },
  'no-fail-fast': { type: 'bool', option: 'failFast', as: (waits) => !waits, description: '' },
} satisfies FlagRows<InstallOptions>;

test.each<[string, FlagsOf<typeof rows>, Partial<InstallOptions>]>([
  ['a flag that is not given is no option', { timeout: 1 }, { timeoutMs: 1 }],
  ['text is converted', { timeout: 1, labels: new Map([['a', 'b']]) }, { timeoutMs: 1, labels: { a: 'b' } }],
  ['a flag may say the opposite of its option', { timeout: 1, noFailFast: true }, { timeoutMs: 1, failFast: false }],
  [
    'of two flags for one option either is enough',
    { timeout: 1, atomic: true, rollbackOnFailure: false },
    { timeoutMs: 1, rollbackOnFailure: true },
  ],
  ['turned off', { timeout: 1, rollbackOnFailure: false }, { timeoutMs: 1, rollbackOnFailure: false }],
])('%s', (_rule, flags, options) => expect(optionsOf(rows, flags)).toStrictEqual(options));

// What follows is checked by tsc: it fails when a line marked as an error is none.
test('what is misspelt does not compile', () => {
  const wrong = [
    // @ts-expect-error the option is called keepHistory
    { a: { type: 'bool', option: 'keepHistry', description: '' } } satisfies FlagRows<UninstallOptions>,
    // @ts-expect-error an option of install, not of uninstall
    { a: { type: 'bool', option: 'replace', description: '' } } satisfies FlagRows<UninstallOptions>,
    // @ts-expect-error a flag that reaches no option
    { a: { type: 'bool', description: '' } } satisfies FlagRows<UninstallOptions>,
    // @ts-expect-error the option is a number of milliseconds
    { a: { type: 'string', option: 'timeoutMs', description: '' } } satisfies FlagRows<UninstallOptions>,
    // @ts-expect-error text that is not one of the option's words
    { a: { type: 'string', option: 'cascade', description: '' } } satisfies FlagRows<UninstallOptions>,
    // @ts-expect-error a conversion to something else than the option's value
    { a: { type: 'int', option: 'wait', as: (a) => a + 1, description: '' } } satisfies FlagRows<UninstallOptions>,
    // @ts-expect-error the field is called description
    { a: { type: 'bool', option: 'dryRun', descripton: '' } } satisfies FlagRows<UninstallOptions>,
  ];
  const flags: FlagsOf<typeof rows> = { timeout: 1 };
  // @ts-expect-error the flag is --no-fail-fast
  expect(flags.noFailfast).toBeUndefined();
  // @ts-expect-error the option is called failFast
  expect(optionsOf(rows, flags).failfast).toBeUndefined();
  // @ts-expect-error --timeout has a default, so it is always there
  expect(optionsOf(rows, {})).toEqual({});
  expect(wrong).toHaveLength(7);
});
