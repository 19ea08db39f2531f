import { chmod, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { TshelmError } from '../../support/errors.ts';
import { goPathError } from '../../support/go-path-error.ts';
import { requireArguments } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { addFlags } from '../flags.ts';
import { type GlobalFlags, sandboxDirectory } from '../settings.ts';

export interface SandboxFlags extends GlobalFlags {
  readonly port: number;
  readonly writeKubeconfig?: string;
}

export const sandboxCommand = (context: CliContext, run = runSandbox): Command =>
  addFlags(new Command('sandbox'), {
    port: { type: 'int', default: 0, description: 'port on 127.0.0.1 to listen on; 0 takes a free one' },
    'write-kubeconfig': { type: 'string', description: 'file to write a kubeconfig to, once the sandbox answers' },
  })
    .description('run the embedded sandbox cluster as a server, until interrupted')
    .argument('[none...]')
    .usage('[flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { exactly: 0 });
      await run(command.optsWithGlobals<SandboxFlags>(), context);
    });

async function runSandbox(flags: SandboxFlags, context: CliContext): Promise<void> {
  const { openSandbox } = await import('../../sandbox/index.ts');
  const directory = sandboxDirectory(flags.sandboxDir, context.io.env);
  const signal = context.interruption();
  const sandbox = await openSandbox({ directory, port: flags.port });
  try {
    if (flags.writeKubeconfig) await writeKubeconfig(flags.writeKubeconfig, sandbox.kubeconfig());
    context.io.stdout.write(`the sandbox answers on ${sandbox.url} (state in ${directory}); Ctrl-C ends it\n`);
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
