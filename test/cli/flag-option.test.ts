import { Command } from 'commander';
import { expect, test } from 'vitest';
import { waitFlag } from '../../src/change/deploy/deploy-options.ts';
import { timeoutFlag } from '../../src/change/lock-options.ts';
import type { FlagSpec } from '../../src/change/option-rows.ts';
import { normalizeArguments } from '../../src/cli/flags/argv.ts';
import { addFlags, dryRunFlag, outputFlag } from '../../src/cli/flags/flags.ts';

function parse(flags: Record<string, FlagSpec>, words: readonly string[]): Record<string, unknown> {
  const command = addFlags(new Command('x'), flags).exitOverride().argument('[words...]');
  command.parse(normalizeArguments(command, words), { from: 'user' });
  return command.opts();
}

const several: Record<string, FlagSpec> = {
  values: { type: 'strings', short: 'f', description: '' },
  set: { type: 'stringArray', description: '' },
  labels: { type: 'stringToString', short: 'l', description: '' },
  max: { type: 'int', short: 'm', default: 256, description: '' },
  'no-hooks': { type: 'bool', description: '' },
};

test.each([
  ['a comma list, given twice', ['-f', 'a,b', '--values=c'], { values: ['a', 'b', 'c'] }],
  ['a quoted comma stays', ['-f', '"a,b",c'], { values: ['a,b', 'c'] }],
  ['an array keeps its commas', ['--set', 'a=1,b=2', '--set', 'c=3'], { set: ['a=1,b=2', 'c=3'] }],
  [
    'pairs',
    ['-l', 'a=1,b=2', '-l', 'b=3'],
    {
      labels: new Map([
        ['a', '1'],
        ['b', '3'],
      ]),
    },
  ],
  ['a pair whose value has a comma', ['-l', 'a=1,2'], { labels: new Map([['a', '1,2']]) }],
  ['a single pair may be in quotes', ['-l', '"a=b,c"'], { labels: new Map([['a', 'b,c']]) }],
  [
    'a quoted pair',
    ['-l', '"a=b,c",d=e'],
    {
      labels: new Map([
        ['a', 'b,c'],
        ['d', 'e'],
      ]),
    },
  ],
  ['a number', ['-m', '10'], { max: 10 }],
  ['a number in hexadecimal', ['-m', '0x10'], { max: 16 }],
  ['a number with underscores', ['-m', '1_000'], { max: 1000 }],
  ['an octal number', ['-m', '010'], { max: 8 }],
  ['a flag that begins with no-', ['--no-hooks'], { noHooks: true }],
  ['turned off', ['--no-hooks=false'], { noHooks: false }],
])('%s', (_rule, words, expected) => expect(parse(several, words)).toMatchObject(expected));

test.each([
  [timeoutFlag, ['--timeout', '1h1m1.5s'], { timeout: 3_661_500 }],
  [timeoutFlag, [], { timeout: 300_000 }],
  [waitFlag, ['--wait'], { wait: 'watcher' }],
  [waitFlag, ['--wait=true'], { wait: 'watcher' }],
  [waitFlag, ['--wait=hookOnly'], { wait: 'hookOnly' }],
  [dryRunFlag, ['--dry-run'], { dryRun: 'unset' }],
  [outputFlag, ['-o', 'yaml'], { output: 'yaml' }],
])('%# %j', (flags, words, expected) => expect(parse(flags, words)).toMatchObject(expected));

// Worded by Helm v4.3.1 (pflag).
test.each([
  [several, ['--max', 'x'], 'invalid argument "x" for "-m, --max" flag: strconv.ParseInt: parsing "x": invalid syntax'],
  [
    several,
    ['--max', '99999999999999999999'],
    'invalid argument "99999999999999999999" for "-m, --max" flag: strconv.ParseInt: parsing "99999999999999999999": value out of range',
  ],
  [several, ['-l', ''], 'invalid argument "" for "-l, --labels" flag:  must be formatted as key=value'],
  [several, ['-l', 'a'], 'invalid argument "a" for "-l, --labels" flag: a must be formatted as key=value'],
  [
    several,
    ['-f', 'a"b'],
    'invalid argument "a\\"b" for "-f, --values" flag: parse error on line 1, column 2: bare " in non-quoted-field',
  ],
  [
    several,
    ['-f', '"a"b'],
    'invalid argument "\\"a\\"b" for "-f, --values" flag: parse error on line 1, column 3: extraneous or missing " in quoted-field',
  ],
  [several, ['--max='], 'invalid argument "" for "-m, --max" flag: strconv.ParseInt: parsing "": invalid syntax'],
  [
    several,
    ['--no-hooks=foo'],
    'invalid argument "foo" for "--no-hooks" flag: strconv.ParseBool: parsing "foo": invalid syntax',
  ],
  [timeoutFlag, ['--timeout', '5'], 'invalid argument "5" for "--timeout" flag: time: missing unit in duration "5"'],
  [
    waitFlag,
    ['--wait=foo'],
    'invalid argument "foo" for "--wait" flag: invalid wait input "foo". Valid inputs are watcher, hookOnly, legacy, ordered, and auto',
  ],
  [
    outputFlag,
    ['-o', 'foo'],
    'invalid argument "foo" for "-o, --output" flag: invalid format type; it may be table, json or yaml',
  ],
])('%# %j', (flags, words, message) => expect(() => parse(flags, words)).toThrow(message));
