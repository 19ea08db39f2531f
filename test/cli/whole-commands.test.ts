import { expect, test } from 'vitest';
import { type CliContext, openContext } from '../../src/cli/context.ts';
import { remediesText } from '../../src/cli/errors/error-text.ts';
import { withWholeCommands } from '../../src/cli/errors/whole-commands.ts';
import { commandTree } from '../../src/cli/program.ts';
import { processIo } from '../../src/cli/terminal/io.ts';
import { TshelmError } from '../../src/support/errors.ts';

const flags = ['--sandbox-dir=/tmp/my box', '--kube-context=prod', '--kube-token=secret', '--timeout=5m'];

async function upgradeContext(): Promise<CliContext> {
  const context = openContext({ ...processIo(), env: { HOME: '/nonexistent' } });
  const found = await commandTree(context).find(['upgrade']);
  if (found === undefined) throw new Error('upgrade is a command');
  context.useLine({ command: found.command, flags, words: ['web', './web'] });
  return context;
}

const unfinished = (namespace?: string): TshelmError =>
  new TshelmError('move-unfinished', {
    message: 'interrupted',
    details: {
      release: 'a',
      revision: 2,
      remedies: [{ kind: 'run', verb: 'rename', arguments: ['a', 'b'], namespace }],
    },
  });

const where = "'--sandbox-dir=/tmp/my box' --kube-context=prod";

test.each([
  ['a command on releases names the cluster of the run, and no password', 'default', `tshelm rename a b ${where}`],
  ['and the namespace, where it is not the usual one', 'shop', `tshelm rename a b ${where} -n shop`],
  ['a command on charts is as it is', undefined, 'tshelm rename a b'],
])('%s', async (_rule, namespace, expected) => {
  const failure = await withWholeCommands(unfinished(namespace), await upgradeContext());
  expect(remediesText(failure)).toBe(`  fix    ${expected}`);
});

test('so does the failure of each release of a stack', async () => {
  const errors = { 'shop/a': unfinished('shop'), 'shop/b': new Error('other') };
  const stack = new TshelmError('stack-failed', {
    message: 'two failed',
    details: { failed: ['shop/a', 'shop/b'], skipped: [], errors },
  });
  const told = (await withWholeCommands(stack, await upgradeContext())) as TshelmError<'stack-failed'>;
  expect(remediesText(told.details.errors['shop/a'])).toContain('--kube-context=prod -n shop');
  expect(told.details.errors['shop/b']).toBe(errors['shop/b']);
});
