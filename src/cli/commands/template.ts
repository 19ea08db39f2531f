import { Command } from 'commander';
import type { NameOptions } from '../../actions/name-and-chart.ts';
import { type ChartInputs, chartInputFlags, chartInputs } from '../../actions/options/chart.ts';
import { templateFlags } from '../../actions/options/template.ts';
import type { TemplateOptions } from '../../actions/template.ts';
import { chartFlags } from '../../change/deploy/deploy-options.ts';
import { type FlagRows, type FlagSpec, optionsOf } from '../../change/option-rows.ts';
import type { Cluster } from '../../cluster/types.ts';
import { addedDetail, causesOf, hasCode, problemsOf, TshelmError } from '../../support/errors.ts';
import { isStackOverflow } from '../../support/stack-overflow.ts';
import { withDebugHint } from '../../words/debug-hint.ts';
import type { CliContext } from '../context.ts';
import { asReachability } from '../errors/error-text.ts';
import { dryRunMode, nameFlags, postRendererFlags } from '../flags/chart-flags.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { dryRunFlag } from '../flags/flags.ts';
import { dependencyUpdateFlag, offlineFlag } from '../flags/source-flags.ts';
import type { GlobalFlags } from '../settings.ts';
import { checkPostRenderer, postRendererOf } from '../sources/post-renderer.ts';
import { showsMoreThanHelm } from '../terminal/io.ts';

const optionFlags = {
  ...templateFlags,
  'output-dir': {
    type: 'string',
    option: 'outputDirectory',
    description: 'writes the executed templates to files in output-dir instead of stdout',
  },
  'release-name': {
    type: 'bool',
    option: 'useReleaseName',
    description: 'use release name in the output-dir path.',
  },
} satisfies FlagRows<TemplateOptions>;

const ownFlags = {
  'dry-run': {
    ...dryRunFlag['dry-run'],
    default: 'client',
    description:
      'what to render for: "client" (default) uses no cluster, "server" asks the cluster for its capabilities and for lookup, and validates against it',
  },
  ...postRendererFlags,
  ...dependencyUpdateFlag,
  ...offlineFlag,
  validate: {
    type: 'bool',
    deprecated: "use '--dry-run=server' instead",
    description: 'validate your manifests against the Kubernetes cluster you are currently pointing at',
  },
} satisfies Record<string, FlagSpec>;

const noEffect = "this flag has no effect for 'helm template' and will be removed in Helm 5";

/** What an install is told and `template` has no use for, as in Helm: a command line of install is one of template too. */
const flagsWithoutEffect = {
  ...chartFlags,
  'hide-notes': { type: 'bool', deprecated: noEffect, description: 'there are no notes to hide' },
  'render-subchart-notes': { ...chartFlags['render-subchart-notes'], deprecated: noEffect },
  replace: { type: 'bool', description: 'has no effect here: the name of the release is never looked up' },
  'server-side': {
    type: 'bool',
    default: true,
    description: 'has no effect here: nothing is written (default true)',
  },
} satisfies Record<string, FlagSpec>;

const flagsOfCommand = {
  ...flagsWithoutEffect,
  ...optionFlags,
  ...nameFlags,
  ...chartInputFlags,
  ...ownFlags,
};

export interface TemplateRequest extends ChartInputs {
  readonly words: readonly string[];
  readonly naming: NameOptions;
  readonly options: Omit<TemplateOptions, 'name' | 'namespace'>;
  readonly flags: GivenFlags<typeof ownFlags>;
}

export const command = (context: CliContext, run = runTemplate): Command =>
  flagCommand(
    'template',
    flagsOfCommand,
    { usage: '[NAME] [CHART] [flags]', words: { atLeast: 1 } },
    async (words, flags) => {
      await checkPostRenderer(flags, context);
      const request: TemplateRequest = {
        words,
        naming: optionsOf(nameFlags, flags),
        options: optionsOf(optionFlags, flags),
        ...chartInputs(flags),
        flags,
      };
      await run(request, context);
    },
  ).description('locally render templates');

async function runTemplate(request: TemplateRequest, context: CliContext): Promise<void> {
  const { words, naming, options, flags } = request;
  const { nameAndChart } = await import('../../actions/name-and-chart.ts');
  const { templateChart } = await import('../../actions/template.ts');
  const { loadRequest } = await import('../sources/load-request.ts');
  const { io } = context;
  const mode = dryRunMode(flags.dryRun, io, { isTemplate: true });
  const isChecked = mode === 'server' || flags.validate === true;
  const { name, chart: reference } = nameAndChart(words, { ...naming, defaultName: 'release-name', now: io.now });
  const { chart, values } = await loadRequest({ ...request, reference }, context);
  context.useChart(reference);
  const subject = { title: `template ${name}`, chart: reference };
  // What tells more is loaded where somebody reads it.
  const more = showsMoreThanHelm(io) ? await import('../print-problems.ts') : undefined;
  await more?.warnOfUnreadValues({ ...subject, loaded: { chart, values } }, context);
  try {
    const { output, warnings } = await templateChart(chart, values, {
      ...options,
      name,
      namespace: await context.namespace(flags),
      postRenderer: postRendererOf(flags, context),
      cluster: isChecked ? await clusterOf(flags, context) : undefined,
      downloadSchema: async (url) => (await import('../sources/sources.ts')).sourcesOf(flags, context).schema(url),
      now: io.now,
      secrets: context.secrets,
      debug: context.settings(flags).debug,
    });
    for (const warning of warnings) io.stderr.write(`${warning}\n`);
    io.stdout.write(output, 'data');
  } catch (thrown) {
    // With --debug what was rendered is printed even though it is not good.
    const output = addedDetail(thrown, 'output');
    if (output !== undefined) io.stdout.write(context.secrets.redact(output), 'data');
    const failure = withDebugHint(asReachability(thrown), context.settings(flags).debug);
    if (more === undefined) throw withHelmMessage(failure);
    await more.markProblems(problemsOf(failure), { ...subject, level: 'error' }, context);
    throw failure;
  }
}

/** What compares tshelm's output with Helm's finds a failing template told in the same bytes; Go's words name the place. */
function withHelmMessage(thrown: unknown): unknown {
  const warnings = addedDetail(thrown, 'warnings');
  if (!hasCode(thrown, 'invalid-manifest', 'template-error', 'values-schema')) return thrown;
  const cause = causesOf(thrown).find(isStackOverflow);
  return new TshelmError('failed', { message: thrown.message, details: { warnings }, cause });
}

const clusterOf = async (flags: GlobalFlags, context: CliContext): Promise<Cluster> =>
  (await context.open(flags)).cluster();
