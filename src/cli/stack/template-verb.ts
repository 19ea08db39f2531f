import type { TemplateOptions } from '../../actions/template.ts';
import type { Cluster } from '../../cluster/types.ts';
import type { StackFile } from '../../stack/read-stack.ts';
import type { Reading } from '../../stack/reading.ts';
import type { ReleaseSpec } from '../../stack/schema.ts';
import { addedDetail } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { withPrefix } from '../error-text.ts';
import { type FlagsOf, optionsOf } from '../flag-rows.ts';
import type { GlobalFlags } from '../settings.ts';
import { StackCharts } from './charts.ts';
import { needsFlags, type StackFlags } from './flags.ts';
import { noneFound, openStack } from './open-stack.ts';
import { type releaseValueFlags, templateOptionFlags } from './show-flags.ts';

type TemplateVerbFlags = StackFlags &
  FlagsOf<typeof needsFlags & typeof templateOptionFlags & typeof releaseValueFlags>;

/** What `helmfile template` prints: the releases in the order of their groups, file by file. */
export async function runTemplate(flags: TemplateVerbFlags, context: CliContext): Promise<void> {
  const { plannedGroups, wanted, withOwnNeeds } = await import('../../stack/choose.ts');
  const { files, reading } = await openStack(flags, context);
  const charts = new StackCharts(flags, reading, context);
  const needs = optionsOf(needsFlags, flags);
  const planned = withOwnNeeds(files).map((file) => ({ file, releases: plannedGroups(file, needs).flat() }));
  if (planned.every(({ releases }) => releases.length === 0)) throw noneFound(reading);
  for (const { file, releases } of planned) {
    for (const release of wanted(releases)) {
      context.io.stdout.write(`${await templated(release, file, { flags, charts, reading }, context)}\n`);
    }
  }
}

interface Templating {
  readonly flags: TemplateVerbFlags;
  readonly charts: StackCharts;
  readonly reading: Reading;
}

async function templated(
  release: ReleaseSpec,
  file: StackFile,
  { flags, charts, reading }: Templating,
  context: CliContext,
): Promise<string> {
  const { templateChart } = await import('../../actions/template.ts');
  const { valuesOfRelease } = await import('../../stack/release-values.ts');
  const { templateOptionsOf } = await import('../../stack/action-options.ts');
  const { refuseUnsupported } = await import('../../stack/unsupported.ts');
  const { postRendererOfRelease } = await import('./post-renderer.ts');
  const { withAddedValues } = await import('./added-values.ts');
  const { extraTemplate } = await import('./extra-args.ts');
  const { io } = context;
  try {
    refuseUnsupported({ release, file, purpose: 'render' }, reading);
    const chart = await charts.of(release, file);
    const extra = extraTemplate(file, reading);
    const values = await withAddedValues(await valuesOfRelease(release, file, reading, extra), flags, context);
    const options: TemplateOptions = {
      ...templateOptionsOf(release, file),
      ...extra.options,
      ...optionsOf(templateOptionFlags, flags),
      name: release.name ?? '',
      namespace: release.namespace ?? (await context.namespace(flags)),
      now: io.now,
      cluster: extra.asksCluster ? await clusterOf(release, flags, context) : undefined,
      postRenderer: postRendererOfRelease({ release, file }, reading, flags, context),
    };
    const { output, warnings } = await templateChart(chart, values, options);
    for (const warning of warnings) io.stderr.write(`${warning}\n`);
    return output;
  } catch (thrown) {
    const output = addedDetail(thrown, 'output');
    if (output !== undefined) io.stdout.write(context.secrets.redact(output));
    throw withPrefix(`release ${release.name ?? ''} of ${file.source}`, thrown);
  }
}

/** Where `--dry-run=server` has it rendered for. */
const clusterOf = async ({ kubeContext }: ReleaseSpec, flags: GlobalFlags, context: CliContext): Promise<Cluster> =>
  (await context.open(kubeContext === undefined ? flags : { ...flags, kubeContext })).cluster();
