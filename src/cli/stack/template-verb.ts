import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { Cluster } from '../../cluster/types.ts';
import { needsFlags } from '../../stack/option-flags.ts';
import type { ReleaseSpec } from '../../stack/schema.ts';
import type { ShownRelease } from '../../stack/work/template.ts';
import { addedDetail } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { withPrefix } from '../errors/error-text.ts';
import type { GlobalFlags } from '../settings.ts';
import { postRendererNamed } from '../sources/post-renderer.ts';
import { type StackFlags } from './flags.ts';
import { hookLines } from './hook-lines.ts';
import { openStack } from './open-stack.ts';
import { type releaseValueFlags, templateOptionFlags } from './show-flags.ts';

type TemplateVerbFlags = StackFlags &
  FlagsOf<typeof needsFlags & typeof templateOptionFlags & typeof releaseValueFlags>;

/** What `helmfile template` prints: the releases in the order of their groups, file by file. */
export async function runTemplate(flags: TemplateVerbFlags, context: CliContext): Promise<void> {
  const { eachWithHooks, shownReleases } = await import('../../stack/work/template.ts');
  const opened = await openStack(flags, context);
  const shown = shownReleases(opened, optionsOf(needsFlags, flags));
  const templating = await templatingOf(opened, flags, context);
  const hooked = { command: 'template', reading: opened.reading, tell: hookLines(flags, context) } as const;
  await eachWithHooks(shown, hooked, async (one) => {
    context.io.stdout.write(`${await templated(one, templating, context)}\n`, 'data');
  });
}

type Templating = Awaited<ReturnType<typeof templatingOf>>;

async function templatingOf(
  opened: Awaited<ReturnType<typeof openStack>>,
  flags: TemplateVerbFlags,
  context: CliContext,
) {
  const { StackCharts } = await import('../../stack/work/charts.ts');
  const { chartTools } = await import('./charts.ts');
  const { withAddedValues } = await import('./added-values.ts');
  const { helmWords } = await import('./extra-args.ts');
  return {
    ...opened,
    charts: new StackCharts(opened.reading, chartTools(flags, context)),
    tools: {
      words: helmWords,
      withGivenValues: (values: Parameters<typeof withAddedValues>[0]) => withAddedValues(values, flags, context),
      postRendererNamed: (name: Parameters<typeof postRendererNamed>[0]) => postRendererNamed(name, flags, context),
    },
    options: { ...optionsOf(templateOptionFlags, flags), now: context.io.now },
    namespace: () => context.namespace(flags),
    clusterOf: (release: ReleaseSpec) => clusterOf(release, flags, context),
  };
}

async function templated(shown: ShownRelease, templating: Templating, context: CliContext): Promise<string> {
  const { templatedRelease } = await import('../../stack/work/template.ts');
  const { io } = context;
  try {
    const { output, warnings } = await templatedRelease(shown, templating);
    for (const warning of warnings) io.stderr.write(`${warning}\n`);
    return output;
  } catch (thrown) {
    const output = addedDetail(thrown, 'output');
    if (output !== undefined) io.stdout.write(context.secrets.redact(output), 'data');
    throw withPrefix(`release ${shown.release.name ?? ''} of ${shown.file.source}`, thrown);
  }
}

/** Where `--dry-run=server` has it rendered for. */
const clusterOf = async ({ kubeContext }: ReleaseSpec, flags: GlobalFlags, context: CliContext): Promise<Cluster> =>
  (await context.open(kubeContext === undefined ? flags : { ...flags, kubeContext })).cluster();
