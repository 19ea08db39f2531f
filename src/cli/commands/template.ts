import { Command } from 'commander';
import type { Cluster } from '../../cluster/types.ts';
import { TshelmError } from '../../support/errors.ts';
import { requireArguments } from '../arguments.ts';
import {
  type ChartFlags,
  capabilityFlags,
  chartFlags,
  dryRunMode,
  postRendererOf,
  valueOptions,
} from '../chart-flags.ts';
import type { CliContext } from '../context.ts';
import type { FlagSpec } from '../flag-option.ts';
import { addFlags } from '../flags.ts';

export interface TemplateFlags extends ChartFlags {
  readonly apiVersions?: readonly string[];
  readonly generateName?: boolean;
  readonly includeCrds?: boolean;
  readonly isUpgrade?: boolean;
  readonly kubeVersion?: string;
  readonly nameTemplate?: string;
  readonly outputDir?: string;
  readonly releaseName?: boolean;
  readonly showOnly?: readonly string[];
  readonly skipTests?: boolean;
  readonly validate?: boolean;
}

const noEffect = "this flag has no effect for 'helm template' and will be removed in Helm 5";

const templateFlags = {
  ...chartFlags,
  ...capabilityFlags,
  'dry-run': {
    ...chartFlags['dry-run'],
    default: 'client',
    description:
      'where the charts are rendered for: "client" (default) connects to no cluster, "server" asks the cluster for its capabilities and for lookup, and validates against it',
  },
  'generate-name': { type: 'bool', short: 'g', description: 'generate the name (and omit the NAME parameter)' },
  'include-crds': { type: 'bool', description: 'include CRDs in the templated output' },
  'is-upgrade': { type: 'bool', description: 'set .Release.IsUpgrade instead of .Release.IsInstall' },
  'name-template': { type: 'string', description: 'specify template used to name the release' },
  'output-dir': {
    type: 'string',
    description: 'writes the executed templates to files in output-dir instead of stdout',
  },
  'release-name': { type: 'bool', description: 'use release name in the output-dir path.' },
  'show-only': {
    type: 'stringArray',
    short: 's',
    description: 'only show manifests rendered from the given templates',
  },
  replace: { type: 'bool', description: 'has no effect here: the name of the release is never looked up' },
  'server-side': {
    type: 'bool',
    default: true,
    description: 'has no effect here: nothing is written (default true)',
  },
  'skip-tests': { type: 'bool', description: 'skip tests from templated output' },
  'hide-notes': { type: 'bool', deprecated: noEffect, description: 'there are no notes to hide' },
  'render-subchart-notes': { ...chartFlags['render-subchart-notes'], deprecated: noEffect },
  validate: {
    type: 'bool',
    deprecated: "use '--dry-run=server' instead",
    description: 'validate your manifests against the Kubernetes cluster you are currently pointing at',
  },
} satisfies Record<string, FlagSpec>;

export const templateCommand = (context: CliContext, run = runTemplate): Command =>
  addFlags(new Command('template'), templateFlags)
    .description('locally render templates')
    .argument('[words...]')
    .usage('[NAME] [CHART] [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { atLeast: 1 });
      await run(words, command.optsWithGlobals<TemplateFlags>(), context);
    });

async function runTemplate(words: readonly string[], flags: TemplateFlags, context: CliContext): Promise<void> {
  const { nameAndChart } = await import('../../actions/name-and-chart.ts');
  const { templateChart } = await import('../../actions/template.ts');
  const { loadRequest } = await import('../load-request.ts');
  const { io } = context;
  const mode = dryRunMode(flags.dryRun, io, { isTemplate: true });
  const isChecked = mode === 'server' || flags.validate === true;
  const { name, chart: reference } = nameAndChart(words, { ...flags, defaultName: 'release-name', now: io.now });
  const { chart, values } = await loadRequest(reference, valueOptions(flags), context);
  try {
    const { output, warnings } = await templateChart(chart, values, {
      ...flags,
      name,
      namespace: await context.namespace(flags),
      postRenderer: postRendererOf(flags),
      outputDirectory: flags.outputDir,
      useReleaseName: flags.releaseName,
      cluster: isChecked ? await clusterOf(flags, context) : undefined,
      downloadSchema: async (url) => (await import('../download.ts')).downloadSchema(url),
      now: io.now,
      debug: context.settings(flags).debug,
    });
    for (const warning of warnings) io.stderr.write(`${warning}\n`);
    io.stdout.write(output);
  } catch (thrown) {
    // With --debug what was rendered is printed even though it is not good.
    if (thrown instanceof TshelmError && typeof thrown.details['output'] === 'string')
      io.stdout.write(context.secrets.redact(thrown.details['output']));
    throw io.stderr.isTerminal ? thrown : asHelmSaysIt(thrown);
  }
}

/** What compares tshelm's output with Helm's finds a failing template told in the same bytes; Go's words name the place. */
function asHelmSaysIt(thrown: unknown): unknown {
  if (!(thrown instanceof TshelmError) || thrown.code !== 'template-error') return thrown;
  const { code, message, details } = thrown;
  return new TshelmError(code, { message, details: { warnings: details['warnings'] } });
}

const clusterOf = async (flags: TemplateFlags, context: CliContext): Promise<Cluster> =>
  (await context.open(flags)).cluster();
