import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isValidReleaseName } from '../../release/name.ts';
import { hasCode } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { pathOf } from '../flags/arguments.ts';
import { sameCommand } from './next-command.ts';

/**
 * The command with its chart and its release the other way round, where that is what the disk says: the first argument is a
 * chart, and the second is none, but may name a release. Undefined of any other failure.
 */
export async function swappedCommand(failure: unknown, context: CliContext): Promise<string | undefined> {
  const { given, io } = context;
  if (given === undefined || given.words.length < 2) return undefined;
  if (!hasCode(failure, 'chart-not-found', 'chart-invalid', 'invalid-release-name', 'api-error')) return undefined;
  const [command = '', ...more] = pathOf(given.command).split(' ');
  if (!['install', 'upgrade', 'plan', 'diff'].includes(command)) return undefined;
  const before = given.words.slice(0, -2);
  const [first = '', second = ''] = given.words.slice(-2);
  if (!isChart(resolve(io.cwd, first)) || isChart(resolve(io.cwd, second)) || !isValidReleaseName(second))
    return undefined;
  const namespace = await context.namespace(given.command.optsWithGlobals());
  return sameCommand([command, ...more, ...before], [second, first], namespace, context);
}

/** A folder with a chart, or an archive. */
export const isChart = (path: string): boolean =>
  existsSync(join(path, 'Chart.yaml')) || (path.endsWith('.tgz') && existsSync(path));
