import type { FlagSpec, FlagsOf, OutputFormat } from '../../change/option-rows.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import type { ProgressRequest } from '../progress/request.ts';

/** How a run is shown while it goes. */
export const progressFlags = {
  progress: {
    type: 'choice',
    placeholder: 'string',
    default: 'auto',
    choices: ['auto', 'tty', 'plain', 'json', 'none'] as const,
    description:
      'how the run is shown on standard error: "tty" (a live tree), "plain" (a line for each change), "json" (one event per line), "none", or "auto" (tty on a terminal, plain otherwise, none with -o json|yaml)',
  },
  junit: { type: 'string', description: 'write a JUnit XML file with a test case for each resource and hook' },
  otel: {
    type: 'bool',
    instead: 'The variable OTEL_EXPORTER_OTLP_ENDPOINT names the collector',
    description:
      'send a trace of the run and its durations as OTLP over HTTP to the collector that $OTEL_EXPORTER_OTLP_ENDPOINT names (http://localhost:4318 otherwise); the other $OTEL_* variables and $TRACEPARENT are read too',
  },
} satisfies Record<string, FlagSpec>;

export const quietFlag = {
  quiet: { type: 'bool', short: 'q', description: 'print nothing but warnings and errors' },
} satisfies Record<string, FlagSpec>;

/** With --quiet standard output stays empty. Errors: `bad-flag` where a result is asked for too. */
export function keepQuiet(
  { quiet, output = 'table' }: FlagsOf<typeof quietFlag> & { readonly output?: string },
  context: Pick<CliContext, 'silence'>,
): void {
  if (!quiet) return;
  if (output !== 'table' && output !== 'text')
    throw new TshelmError('bad-flag', { message: `--quiet prints no result: leave out --quiet or --output=${output}` });
  context.silence();
}

/** The flags as a request; without a flag, a run is shown unless its result is for a program or nothing is done. */
export const progressRequest = (
  { progress, junit, otel, quiet }: FlagsOf<typeof progressFlags & Partial<typeof quietFlag>>,
  { output = 'table', isDryRun = false }: { output?: OutputFormat; isDryRun?: boolean | undefined } = {},
): ProgressRequest => ({ mode: progress, junit, otel, isShown: output === 'table' && !isDryRun, isQuiet: quiet });
