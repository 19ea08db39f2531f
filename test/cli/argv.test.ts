import { Command } from 'commander';
import { expect, test } from 'vitest';
import { commandIndex, normalizeArguments, positionalIndexes } from '../../src/cli/flags/argv.ts';
import { addFlags } from '../../src/cli/flags/flags.ts';
import { isNear } from '../../src/support/near.ts';

function commandTree(): Command {
  const program = addFlags(new Command('tshelm'), {
    debug: { type: 'bool', description: '' },
    namespace: { type: 'string', short: 'n', description: '' },
  });
  const list = addFlags(new Command('list'), {
    'all-namespaces': { type: 'bool', short: 'A', description: '' },
    short: { type: 'bool', short: 'q', description: '' },
    wait: { type: 'choice', alone: 'watcher', description: '' },
    'no-hooks': { type: 'bool', description: '' },
    max: { type: 'int', short: 'm', description: '' },
  });
  program.addCommand(list);
  return list;
}

test.each([
  ['a long flag takes the next word', ['--namespace', 'prod'], ['--namespace=prod', '--']],
  ['or what stands behind =', ['--namespace=a=b'], ['--namespace=a=b', '--']],
  ['a flag with an optional value leaves the next word alone', ['--wait', 'chart'], ['--wait=watcher', '--', 'chart']],
  ['and takes it with =', ['--wait=legacy', 'chart'], ['--wait=legacy', '--', 'chart']],
  ['a switch stands alone', ['--debug', 'x'], ['--debug=true', '--', 'x']],
  ['or is turned off', ['--debug=false'], ['--debug=false', '--']],
  ['letters are joined', ['-Aq'], ['--all-namespaces=true', '--short=true', '--']],
  ['a letter takes the rest of its word', ['-nprod'], ['--namespace=prod', '--']],
  ['with = as well', ['-n=prod'], ['--namespace=prod', '--']],
  ['or the next word, even one that looks like a flag', ['-n', '-x'], ['--namespace=-x', '--']],
  ['joined letters may end with one that takes a value', ['-Am5'], ['--all-namespaces=true', '--max=5', '--']],
  ['behind -- nothing is a flag', ['a', '--', '--debug'], ['--', 'a', '--debug']],
  ['a lone - is a word', ['-'], ['--', '-']],
  ['--no-hooks is a flag of its own', ['--no-hooks'], ['--no-hooks=true', '--']],
])('%s', (_rule, words, normal) => expect(normalizeArguments(commandTree(), words)).toEqual(normal));

// Worded by Helm v4.3.1 (pflag).
test.each([
  [['--foo'], 'unknown flag: --foo'],
  [['--foo=1'], 'unknown flag: --foo'],
  [['-x'], "unknown shorthand flag: 'x' in -x"],
  [['-Ax'], "unknown shorthand flag: 'x' in -x"],
  [['--namespace'], 'flag needs an argument: --namespace'],
  [['-n'], "flag needs an argument: 'n' in -n"],
  [['-hz'], "unknown shorthand flag: 'z' in -z"],
  [['--=x'], 'bad flag syntax: --=x'],
])('%j: %s', (words, message) => expect(() => normalizeArguments(commandTree(), words)).toThrow(message));

test('a flag that is nearly right is suggested', () => {
  expect(() => normalizeArguments(commandTree(), ['--no-hook'])).toThrow('Did you mean --no-hooks?');
});

test.each([
  ['--version', 'fetch it first with `helm pull`'],
  ['--dependency-update', 'helm dependency update CHART'],
])('%s of a command that takes a chart tells the way without it', (flag, way) => {
  const install = addFlags(new Command('install'), { values: { type: 'strings', short: 'f', description: '' } });
  expect(() => normalizeArguments(install, [flag])).toThrow(`unknown flag: ${flag}\n`);
  expect(() => normalizeArguments(install, [flag])).toThrow(way);
  expect(() => normalizeArguments(commandTree(), [flag])).not.toThrow(way);
});

test('the words that name commands are found behind flags of the program', () => {
  const program = commandTree().parent as Command;
  expect(positionalIndexes(program, ['-n', 'list', '--debug', 'list', 'x'])).toEqual([3, 4]);
});

test.each([
  ['install', 'instal', true],
  ['install', 'isntall', true],
  ['install', 'uninstall', false],
  ['list', 'lint', true],
  ['get', 'version', false],
])('%s is near %s: %s', (a, b, near) => expect(isNear(a, b)).toBe(near));

// What Helm does with each: `helm --set a=b template CHART` renders, `helm --strict lint CHART` knows no command CHART.
test.each([
  [['--set', 'a=b', 'template', 'chart'], 2],
  [['-f', 'values.yaml', 'template', 'chart'], 2],
  [['--set=a=b', 'template'], 1],
  [['--strict', 'lint', 'chart'], 2],
  [['--debug', 'lint'], 1],
  [['-n', 'list', 'status'], 2],
  [['--help', 'lint'], 1],
  [['--', 'lint'], undefined],
  [['--nope'], undefined],
] as const)('of %j the command is word %s', (words, index) => {
  const program = addFlags(new Command('tshelm'), {
    namespace: { type: 'string', short: 'n', description: '' },
    debug: { type: 'bool', description: '' },
  });
  expect(commandIndex(program, words)).toBe(index);
});
