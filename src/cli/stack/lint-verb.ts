import { lintFlags } from '../../actions/options/lint.ts';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { needsFlags } from '../../stack/option-flags.ts';
import type { LintedRelease } from '../../stack/work/lint.ts';
import { lintStack } from '../../stack/work/lint.ts';
import type { ShownRelease } from '../../stack/work/template.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { withPrefix } from '../errors/error-text.ts';
import { isNotable, resultText } from '../output/lint-text.ts';
import { noticesPrinter } from '../sources/notices.ts';
import type { StackFlags } from './flags.ts';
import { openReadOnlyRun } from './read-only-run.ts';
import type { stackLintFlags } from './show-flags.ts';

type LintVerbFlags = StackFlags & FlagsOf<typeof needsFlags & typeof stackLintFlags>;

/**
 * What `helmfile lint` prints: what lint says of each release's chart with its values, file by file, group by group. A
 * chart that fails does not keep the next ones from being looked at. Errors: `lint-failed`, those of reading the stack.
 */
export async function runStackLint(flags: LintVerbFlags, context: CliContext): Promise<void> {
  const linting = {
    options: {
      ...optionsOf(lintFlags, flags),
      onNotice: noticesPrinter(context),
      downloadSchema: async (url: string) =>
        (await import('../sources/sources.ts')).sourcesOf(flags, context).schema(url),
    },
    now: context.io.now(),
  };
  let [count, failed] = [0, 0];
  await lintStack(await openReadOnlyRun('lint', flags, context), linting, async (shown, lint) => {
    const linted = await lint().catch((thrown) => {
      throw ofRelease(shown, thrown);
    });
    count += 1;
    failed += linted.result.isFailed ? 1 : 0;
    tell(linted, flags.quiet === true, context);
  });
  if (failed === 0) return;
  throw new TshelmError('lint-failed', { message: `${count} chart(s) linted, ${failed} chart(s) failed` });
}

const ofRelease = ({ release, file }: ShownRelease, thrown: unknown): unknown =>
  withPrefix(`release ${release.name ?? ''} of ${file.source}`, thrown);

function tell({ path, result }: LintedRelease, isQuiet: boolean, { io, secrets }: CliContext): void {
  if (isQuiet && !isNotable(result)) return;
  const summary = result.isFailed ? '' : '1 chart(s) linted, 0 chart(s) failed\n\n';
  io.stdout.write(resultText(path, result, { quiet: isQuiet, secrets }) + summary);
}
