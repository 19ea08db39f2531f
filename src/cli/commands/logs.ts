import { Command } from 'commander';
import { type LogsOptions, logsFlags } from '../../actions/options/readings.ts';
import { optionsOf } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type Request } from '../flags/flag-command.ts';
import { helmColors } from '../output/helm-colors.ts';
import { isOfPodLog, plainLine, podPrefix } from '../progress/words.ts';
import { podPaint } from '../terminal/colors.ts';

export const command = (context: CliContext, run = runLogs): Command =>
  flagCommand('logs', logsFlags, { usage: 'RELEASE_NAME [flags]', words: { exactly: 1 } }, ([name = ''], flags) =>
    run({ options: { ...optionsOf(logsFlags, flags), name }, flags }, context),
  ).description('show what the pods of a release write');

async function runLogs({ options, flags }: Request<LogsOptions, object>, context: CliContext): Promise<void> {
  const { releaseLogs } = await import('../../actions/logs.ts');
  const session = await context.open(flags);
  const { kind } = helmColors(session.settings, context.io);
  await releaseLogs(options, session, (event) => {
    if (!isOfPodLog(event)) return;
    const prefix = podPrefix(event);
    const line = context.secrets.redact(plainLine(event, '') ?? '').slice(prefix.length);
    context.io.stdout.write(`${kind === 'painted' ? podPaint(event.id.name, prefix) : prefix}${line}\n`, kind);
  });
}
