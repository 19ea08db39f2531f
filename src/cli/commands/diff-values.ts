import type { Command } from 'commander';
import type { ComparedChart } from '../../actions/diff-values.ts';
import { accessFlags, type ChartInputs, valueFlags } from '../../actions/options/chart.ts';
import { type FlagSpec, type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { GoMap } from '../../go/value.ts';
import type { ComparedRelease } from '../../show/changes/values-text.ts';
import type { CliContext } from '../context.ts';
import { endWithChanges, exitCodeFlags } from '../flags/exit-code-flags.ts';
import { flagCommand } from '../flags/flag-command.ts';
import { formatFlag } from '../flags/flags.ts';
import { offlineFlag } from '../flags/source-flags.ts';
import type { GlobalFlags } from '../settings.ts';
import { kindOf } from '../terminal/io.ts';

const ownFlags = {
  'old-version': {
    type: 'string',
    placeholder: 'version',
    description: 'when comparing two charts: the version of the first one, if its name does not contain it',
  },
  ...exitCodeFlags,
  ...formatFlag('changes', ['text', 'json', 'yaml', 'markdown'], { markdown: 'tables for a pull request' }),
} satisfies Record<string, FlagSpec>;

const diffValuesFlags = { ...valueFlags, ...accessFlags, ...offlineFlag, ...ownFlags };

export interface DiffValuesRequest extends ChartInputs {
  /** A release or a chart. */
  readonly old: string;
  readonly chart: string;
  readonly flags: GlobalFlags & FlagsOf<typeof offlineFlag & typeof ownFlags>;
}

export type RunDiffValues = (request: DiffValuesRequest, context: CliContext) => Promise<void>;

/** `diff values RELEASE CHART`, `diff values CHART CHART`. */
export const diffValuesForm = (context: CliContext, run: RunDiffValues): Command =>
  flagCommand(
    'values',
    diffValuesFlags,
    { usage: 'RELEASE|CHART CHART [flags]', words: { exactly: 2 } },
    async ([old = '', chart = ''], flags) => {
      const [values, access] = [optionsOf(valueFlags, flags), optionsOf(accessFlags, flags)];
      await run({ old, chart, values, access, flags }, context);
    },
  ).description(
    'show how the default values of a new chart differ from those of a release, or of another chart: a word with a slash, such as ./shop, is a chart',
  );

export const runDiffValues: RunDiffValues = async (request, context) => {
  const { chart: reference, flags } = request;
  const { loadRequest } = await import('../sources/load-request.ts');
  const { chart, values } = await loadRequest({ ...request, reference }, context);
  const old = isChart(request.old) ? await oldChart(request, values, context) : await recordedChart(request, context);
  const config = values.size > 0 ? values : old.config;
  const { diffValues } = await import('../../actions/diff-values.ts');
  const diff = diffValues(old.chart, chart, config);
  const { valuesData, valuesMarkdown, valuesText } = await import('../../show/changes/values-text.ts');
  const { formatted } = await import('../terminal/format.ts');
  const textOf = (): string => {
    switch (flags.output) {
      case 'text':
        return valuesText(diff, old.release);
      case 'markdown':
        return valuesMarkdown(diff, old.release);
      default:
        return formatted(valuesData(diff, old.release), flags.output);
    }
  };
  context.io.stdout.write(context.secrets.redact(textOf()), kindOf(flags.output));
  endWithChanges(diff.changes.length > 0, flags, context);
};

interface OldChart {
  readonly chart: ComparedChart;
  /** What its user sets. */
  readonly config: GoMap;
  readonly release?: ComparedRelease;
}

/** A release has a name; a path, a URL and REPOSITORY/CHART have a slash. */
const isChart = (word: string): boolean => word.includes('/') || word.endsWith('.tgz');

async function oldChart(
  { old, access, flags }: DiffValuesRequest,
  values: GoMap,
  context: CliContext,
): Promise<OldChart> {
  const { loadRequest } = await import('../sources/load-request.ts');
  const { prepareChart } = await import('../../render/release.ts');
  const named = { reference: old, access: { ...access, version: flags.oldVersion }, values: {}, flags };
  const { chart } = await loadRequest(named, context);
  return { chart: { ...chart, values: prepareChart(chart, values).chart.values }, config: values };
}

async function recordedChart({ old, flags }: DiffValuesRequest, context: CliContext): Promise<OldChart> {
  const { findRelease } = await import('../../actions/find-release.ts');
  const { name, namespace, chart, config } = await findRelease(old, undefined, await context.open(flags));
  return { chart, config, release: { release: name, namespace } };
}
