import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { KindHealth, ObjectHealth } from '../../actions/health.ts';
import { healthFlag } from '../../actions/options/health.ts';
import { groupKindOf } from '../../cluster/fields.ts';
import type { CliContext, CommandSession } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { outputFlag } from '../flags/flags.ts';
import { fittedTable } from '../terminal/fitted-table.ts';
import { formatted } from '../terminal/format.ts';
import { type Io, kindOf } from '../terminal/io.ts';

const healthFlags = { ...healthFlag, ...outputFlag };

export interface HealthRequest {
  /** A kind, a kind and a name, a file, or `-`. */
  readonly target: string;
  readonly flags: GivenFlags<typeof healthFlags>;
}

export const command = (context: CliContext, run = runHealth): Command =>
  flagCommand(
    'health',
    healthFlags,
    { usage: 'KIND | KIND/NAME | FILE | - [flags]', words: { exactly: 1 } },
    ([target = ''], flags) => run({ target, flags }, context),
  ).description('show which rule judges whether an object is ready, and what it says');

async function runHealth({ target, flags }: HealthRequest, context: CliContext): Promise<void> {
  const session = await context.open(flags, { health: flags.health, isOffline: true });
  const found = await healthOf(target, session, context);
  context.io.stdout.write(
    flags.output === 'table' ? healthTable(found, flags.health, context.io) : formatted(found, flags.output),
    kindOf(flags.output),
  );
  const states = found.map((one) => ('state' in one ? one.state : 'ready'));
  if (states.includes('failed')) context.endWith(1);
  else if (states.includes('waiting')) context.endWith(2);
}

type Found = readonly (ObjectHealth | KindHealth)[];

async function healthOf(target: string, session: CommandSession, { io }: CliContext): Promise<Found> {
  const { healthOfKind, healthOfNamed, healthOfObjects } = await import('../../actions/health.ts');
  const { decodeText } = await import('../../go/text.ts');
  if (target === '-') return healthOfObjects(decodeText(await io.readStdin()), 'standard input', session);
  const path = resolve(io.cwd, target);
  if (existsSync(path) || pathPattern.test(target)) {
    const { readBytes } = await import('../../go/files.ts');
    return healthOfObjects(decodeText(readBytes(path)), target, session);
  }
  const [kind = '', name] = target.split('/');
  return [name === undefined ? await healthOfKind(kind, session) : await healthOfNamed(kind, name, session)];
}

/** What can only be a file, whether it is there or not. */
const pathPattern = /^[./]|\.(?:ya?ml|json)$/;

function healthTable(found: Found, file: string | undefined, io: Io): string {
  const rows = found.map((one) =>
    'state' in one
      ? [`${one.kind}/${one.name}`, ruleText(one, file), one.state, one.reason ?? '']
      : [one.kind, ruleText(one, file), '', ''],
  );
  return fittedTable([['OBJECT', 'RULE', 'STATE', 'REASON'], ...rows], io);
}

function ruleText({ apiVersion, kind, rule }: KindHealth, file = ''): string {
  switch (rule) {
    case 'chart':
      return "the chart's annotations";
    case 'user':
      return file;
    case 'kind':
      return `tshelm's rule for ${groupKindOf({ apiVersion, kind })}`;
    case 'common-words':
      return 'common conditions and phases';
    default:
      return rule satisfies never;
  }
}
