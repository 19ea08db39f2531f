import { existsSync } from 'node:fs';
import { Command } from 'commander';
import type { FlagSpec } from '../../change/option-rows.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';

const createFlags = {
  'chart-api-version': {
    type: 'string',
    default: 'v2',
    hidden: true,
    description: 'chart API version to use (v2 or v3)',
  },
  starter: {
    type: 'string',
    short: 'p',
    description:
      'the name or absolute path to Helm starter scaffold; "ordered", a database, a migration and a server, is built in',
  },
} satisfies Record<string, FlagSpec>;

export interface CreateRequest {
  readonly name: string;
  readonly flags: GivenFlags<typeof createFlags>;
}

export const command = (context: CliContext, run = runCreate): Command =>
  flagCommand('create', createFlags, { usage: 'NAME [flags]', words: { exactly: 1 } }, ([name = ''], flags) =>
    run({ name, flags }, context),
  ).description('create a new chart with the given name');

/** A starter of the user's own goes before one that is built in. The last element of the name is the chart's, those before it are folders. */
async function runCreate({ name, flags }: CreateRequest, context: CliContext): Promise<void> {
  const { createChart, createFromStarter } = await import('../../source/package/create.ts');
  const { baseName, directoryName, slashes } = await import('../../go/path.ts');
  const { io } = context;
  io.stdout.write(`Creating ${name}\n`);
  checkApiVersion(flags.chartApiVersion);
  const [chart, parent] = [baseName(slashes(name)), directoryName(slashes(name))];
  const warn = (path: string): void =>
    io.stdout.write(`WARNING: File ${JSON.stringify(path)} already exists. Overwriting.\n`);
  if (!flags.starter) return createChart(chart, parent, warn);
  const { isAbsolute, join } = await import('node:path');
  const { helmPaths } = await import('../../source/paths.ts');
  const { noticesPrinter } = await import('../sources/notices.ts');
  const starters = join(helmPaths(io.env, flags).dataHome, 'starters');
  const starter = isAbsolute(flags.starter) ? flags.starter : join(starters, flags.starter);
  if (flags.starter === 'ordered' && !existsSync(starter)) {
    const { orderedStarter } = await import('../../source/package/ordered.ts');
    return createChart(chart, parent, warn, orderedStarter);
  }
  await createFromStarter(chart, parent, { starter, now: io.now(), onNotice: noticesPrinter(context) });
}

function checkApiVersion(version: string): void {
  if (version === 'v2' || version === '') return;
  const message =
    version === 'v3'
      ? 'apiVersion v3 is experimental in Helm; tshelm creates charts with apiVersion v2'
      : `unsupported chart API version: ${version} (supported: v2, v3)`;
  throw new TshelmError('create-failed', { message });
}
