import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import { needsFlags, type stackTrustFlags } from '../../stack/option-flags.ts';
import type { ReadOnlyRun } from '../../stack/work/template.ts';
import type { CliContext } from '../context.ts';
import { postRendererNamed } from '../sources/post-renderer.ts';
import { withAddedValues } from './added-values.ts';
import { chartTools } from './charts.ts';
import { helmWords } from './extra-args.ts';
import type { StackFlags } from './flags.ts';
import { placedFailure, valuesOfLine } from './given-places.ts';
import { openStack } from './open-stack.ts';
import type { releaseValueFlags } from './show-flags.ts';

/** Reads the stack that the flags name, for a verb that only looks at it. Errors: those of openStack. */
export const openReadOnlyRun = async (
  command: ReadOnlyRun['command'],
  flags: StackFlags & FlagsOf<typeof needsFlags & typeof releaseValueFlags & Partial<typeof stackTrustFlags>>,
  context: CliContext,
): Promise<ReadOnlyRun> => ({
  ...(await openStack(flags, context)),
  command,
  needs: optionsOf(needsFlags, flags),
  tools: {
    ...chartTools(flags, context),
    words: helmWords,
    placed: (failure, of) => placedFailure(failure, of, { given: valuesOfLine(flags), cwd: context.io.cwd }),
    withGivenValues: (values) => withAddedValues(values, flags, context),
    postRendererNamed: (name) => postRendererNamed(name, flags, context),
  },
  namespace: () => context.namespace(flags),
  onHookOutput: hookLines(flags, context),
});

/** Writes what hooks with `showlogs` print, where there is no progress to write it to; with --quiet nothing. */
export const hookLines =
  ({ quiet }: { readonly quiet?: boolean | undefined }, { io, secrets }: CliContext) =>
  (text: string): void => {
    if (!quiet) io.stderr.write(secrets.redact(text.endsWith('\n') ? text : `${text}\n`));
  };
