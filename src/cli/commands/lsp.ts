import { Command } from 'commander';
import type { FlagSpec } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';

const lspFlags = {
  'kube-version': {
    type: 'string',
    description: 'the version of Kubernetes that charts are checked for, such as 1.34',
  },
} satisfies Record<string, FlagSpec>;

export interface LspRequest {
  readonly flags: GivenFlags<typeof lspFlags>;
}

export const command = (context: CliContext, run = runLsp): Command =>
  flagCommand('lsp', lspFlags, { usage: '[flags]', words: { exactly: 0 } }, (_words, flags) =>
    run({ flags }, context),
  ).description('help editors with charts, by the Language Server Protocol on standard input and output');

/** The editor ends it. */
async function runLsp({ flags }: LspRequest, { io }: CliContext): Promise<void> {
  const { serve } = await import('../../lsp/server.ts');
  const { ignoreRules } = await import('../sources/ignore-file.ts');
  const ignoreOf = (folder: string) => {
    try {
      return ignoreRules(undefined, folder, io.cwd);
    } catch {
      // A rule that cannot be read leaves nothing out; `tshelm check` says why.
      return [];
    }
  };
  serve({ input: process.stdin, output: process.stdout }, { env: io.env, kubeVersion: flags.kubeVersion, ignoreOf });
  await new Promise(() => undefined);
}
