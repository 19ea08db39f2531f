import { lintFlags } from '../../actions/options/lint.ts';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import { needsFlags } from '../../stack/option-flags.ts';
import { StackCharts } from '../../stack/work/charts.ts';
import { type LintedRelease, lintedRelease } from '../../stack/work/lint.ts';
import { eachWithHooks, type ShownRelease, shownReleases } from '../../stack/work/template.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { withPrefix } from '../errors/error-text.ts';
import { isNotable, resultText } from '../output/lint-text.ts';
import { noticesOn } from '../sources/notices.ts';
import { withAddedValues } from './added-values.ts';
import { chartTools } from './charts.ts';
import { type StackFlags } from './flags.ts';
import { hookLines } from './hook-lines.ts';
import { openStack } from './open-stack.ts';
import type { stackLintFlags } from './show-flags.ts';

type LintVerbFlags = StackFlags & FlagsOf<typeof needsFlags & typeof stackLintFlags>;

/**
 * What `helmfile lint` prints: what lint says of each release's chart with its values, file by file, group by group. A
 * chart that fails does not keep the next ones from being looked at. Errors: `lint-failed`, those of reading the stack.
 */
export async function runStackLint(flags: LintVerbFlags, context: CliContext): Promise<void> {
  const opened = await openStack(flags, context);
  const linting = {
    ...opened,
    charts: new StackCharts(opened.reading, chartTools(flags, context)),
    tools: {
      withGivenValues: (values: Parameters<typeof withAddedValues>[0]) => withAddedValues(values, flags, context),
    },
    options: {
      ...optionsOf(lintFlags, flags),
      onNotice: noticesOn(context),
      downloadSchema: async (url: string) =>
        (await import('../sources/sources.ts')).sourcesOf(flags, context).schema(url),
    },
    namespace: () => context.namespace(flags),
    now: context.io.now(),
  };
  let [count, failed] = [0, 0];
  const hooked = { command: 'lint', reading: opened.reading, tell: hookLines(flags, context) } as const;
  await eachWithHooks(shownReleases(opened, optionsOf(needsFlags, flags)), hooked, async (shown) => {
    const linted = await lintedRelease(shown, linting).catch((thrown) => {
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
