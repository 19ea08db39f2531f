import { chmod, writeFile } from 'node:fs/promises';
import { resolve as absolute } from 'node:path';
import { Command } from 'commander';
import { type FlagRows, type FlagSpec, optionsOf } from '../../change/option-rows.ts';
import { goPathError } from '../../go/path-error.ts';
import type { SandboxOptions } from '../../sandbox/index.ts';
import { TshelmError } from '../../support/errors.ts';
import { shellWord } from '../../support/text.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type Request } from '../flags/flag-command.ts';
import { type GlobalFlags, sandboxDirectory } from '../settings.ts';

const optionFlags = {
  port: {
    type: 'int',
    option: 'port',
    default: 0,
    description: 'port on 127.0.0.1 to listen on; 0 picks a free one',
  },
  'kube-version': {
    type: 'string',
    option: 'kubeVersion',
    description: 'version of Kubernetes to serve, from 1.33 to 1.37 (default 1.36)',
  },
} satisfies FlagRows<SandboxOptions>;

const ownFlags = {
  'write-kubeconfig': { type: 'string', description: 'file to write a kubeconfig to, once the sandbox answers' },
} satisfies Record<string, FlagSpec>;

const sandboxFlags = { ...optionFlags, ...ownFlags };

const runs = { serve: runSandbox, reset: runReset };

export const command = (context: CliContext, run = runs): Command =>
  flagCommand('sandbox', sandboxFlags, { usage: '[flags]', words: { exactly: 0 } }, (_words, flags) =>
    run.serve({ options: optionsOf(optionFlags, flags), flags }, context),
  )
    .description('run the embedded sandbox cluster as a server, until interrupted')
    .addCommand(
      flagCommand('reset', {}, { usage: '[flags]', words: { exactly: 0 } }, (_words, flags) =>
        run.reset({ flags }, context),
      ).description('delete everything in the sandbox'),
    );

async function runReset({ flags }: { readonly flags: GlobalFlags }, { io }: CliContext): Promise<void> {
  const { resetSandbox } = await import('../../sandbox/index.ts');
  const directory = sandboxDirectory(flags.sandboxDir, io.env);
  await resetSandbox(directory);
  io.stdout.write(`the sandbox is empty (state in ${directory})\n`);
}

async function runSandbox(
  { options, flags }: Request<Omit<SandboxOptions, 'directory'>, typeof ownFlags>,
  context: CliContext,
): Promise<void> {
  const { openSandbox } = await import('../../sandbox/index.ts');
  const directory = sandboxDirectory(flags.sandboxDir, context.io.env);
  const signal = context.interruption();
  const sandbox = await openSandbox({ ...options, directory });
  try {
    if (flags.writeKubeconfig) await writeKubeconfig(flags.writeKubeconfig, sandbox.kubeconfig());
    context.io.stdout.write(`the sandbox listens on ${sandbox.url} (state in ${directory}); press Ctrl-C to stop it\n`);
    if (flags.writeKubeconfig) {
      const file = shellWord(absolute(flags.writeKubeconfig));
      context.io.stdout.write(`kubectl and helm reach it, in another shell, after:\n  export KUBECONFIG=${file}\n`);
    }
    if (signal.aborted) return;
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  } finally {
    await sandbox.close();
  }
}

/** For its owner alone: it lets whoever reads it do everything in the sandbox. */
async function writeKubeconfig(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { mode: 0o600 });
    await chmod(file, 0o600);
  } catch (cause) {
    const message = `--write-kubeconfig: ${goPathError('write', file, cause).message}`;
    throw new TshelmError('kubeconfig-unwritable', { message, details: { file }, cause });
  }
}
