import type { MoveResult } from '../../change/moves/moves.ts';
import type { OutputFormat } from '../../change/option-rows.ts';
import { printableLine } from '../../support/printable.ts';
import type { CliContext } from '../context.ts';
import { formatted } from '../terminal/format.ts';
import { kindOf } from '../terminal/io.ts';
import { moveData, moveText } from './move-text.ts';

/** Prints what `move`, `rename` and `adopt` did or would do. */
export const writeMove = (
  result: MoveResult,
  { output, dryRun = false }: { readonly output: OutputFormat; readonly dryRun?: boolean | undefined },
  { io }: CliContext,
): void => {
  io.stdout.write(output === 'table' ? moveText(result, dryRun) : formatted(moveData(result), output), kindOf(output));
  for (const text of result.warnings) io.stderr.write(`warning: ${printableLine(text)}\n`, 'folded');
};
