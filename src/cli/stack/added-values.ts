import type { FlagsOf } from '../../change/option-rows.ts';
import { mergeValues } from '../../chart/value-options.ts';
import type { GoMap } from '../../go/value.ts';
import type { CliContext } from '../context.ts';
import type { releaseValueFlags } from './show-flags.ts';

/** A release's values with those that the command line gives every release. */
export async function withAddedValues(
  values: GoMap,
  { set, values: valueFiles }: FlagsOf<typeof releaseValueFlags>,
  { io, secrets }: CliContext,
): Promise<GoMap> {
  for (const text of set) secrets.addAssignment(text);
  const merged = await mergeValues({ base: values, valueFiles, set }, { readStdin: io.readStdin });
  secrets.addValues(merged);
  return merged;
}
