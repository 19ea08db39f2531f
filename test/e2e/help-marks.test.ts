import { expect, test } from 'vitest';
import { helm, tshelm } from './support/programs.ts';

/** Commands of Helm, and of each group one that takes its flags. */
const commands = [
  'create',
  'dependency update',
  'get all',
  'get values',
  'history',
  'install',
  'lint',
  'list',
  'package',
  'plugin install',
  'plugin package',
  'plugin verify',
  'pull',
  'push',
  'registry login',
  'repo add',
  'rollback',
  'search repo',
  'show chart',
  'status',
  'template',
  'test',
  'uninstall',
  'upgrade',
  'verify',
];

const flagLine = /^\+? *(?:-\w, )?--([a-z0-9-]+)(?: |\[|$)/;
/** Descriptions that go on below may begin with the name of a flag: those are indented further. */
const isIndentedAsFlag = (line: string): boolean => /^(?:[+ ] {1,5})(?:-\w, )?--/.test(line);

test.each(commands)('%s --help marks just the options that Helm does not have', async (command) => {
  const [ours, theirs] = await Promise.all([tshelm, helm].map((one) => one.run([...command.split(' '), '--help'])));
  const flagsOfHelm = new Set(
    theirs?.stdout.split('\n').flatMap((line) => /^ +(?:-\w, )?--([a-z0-9-]+)/.exec(line)?.[1] ?? []),
  );
  const lines = ours?.stdout.split('\n').filter((line) => isIndentedAsFlag(line)) ?? [];
  const wrong = lines.filter((line) => line.startsWith('+') === flagsOfHelm.has(flagLine.exec(line)?.[1] ?? ''));
  expect(wrong).toEqual([]);
});
