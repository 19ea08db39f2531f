import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { FlagSpec } from '../../change/option-rows.ts';
import type { CommandTree } from '../command-tree.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { formatFlag } from '../flags/flags.ts';

const migrateFlags = { ...formatFlag('output', ['text', 'json', 'yaml']) } satisfies Record<string, FlagSpec>;

export interface MigrateRequest {
  readonly paths: readonly string[];
  readonly flags: GivenFlags<typeof migrateFlags>;
}

/** `migrate PATH...`: exit code 2 if a line does not work with tshelm, or nobody knows. */
export const command = (context: CliContext, tree: CommandTree, run = runMigrate): Command =>
  flagCommand('migrate', migrateFlags, { usage: 'PATH... [flags]', words: { atLeast: 1 } }, (paths, flags) =>
    run({ paths, flags }, context, tree),
  ).description('say which command lines of scripts and CI files work with tshelm, and what to write instead');

async function runMigrate({ paths, flags }: MigrateRequest, context: CliContext, tree: CommandTree): Promise<void> {
  const { migration, migrationText } = await import('../migrate/migration.ts');
  const { io, secrets } = context;
  const found = await migration(
    paths.map((path) => ({ name: path, path: resolve(io.cwd, path) })),
    tree,
    (text) => secrets.redact(text),
  );
  if (flags.output === 'text') io.stdout.write(migrationText(found));
  else {
    const { formatted } = await import('../terminal/format.ts');
    io.stdout.write(formatted(found, flags.output), 'data');
  }
  if (found.counts.refused + found.counts.unknown > 0) context.endWith(2);
}
