import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { CheckOptions, CheckResult } from '../../actions/check.ts';
import { type ChartInputs, chartInputFlags, chartInputs } from '../../actions/options/chart.ts';
import { checkFlags } from '../../actions/options/check.ts';
import { type FlagSpec, type OptionsOf, optionsOf } from '../../change/option-rows.ts';
import { hasCode, TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { postRendererFlags } from '../flags/chart-flags.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { keepQuiet, quietFlag } from '../flags/progress-flags.ts';
import { dependencyUpdateFlag, offlineFlag } from '../flags/source-flags.ts';
import type { CheckedChart } from '../output/check/checked.ts';
import { checkClusterFlag, checkObjectFlags, checkOutputFlags, tellChecked } from '../output/check/output.ts';
import { postRendererOf } from '../sources/post-renderer.ts';

const ownFlags = {
  ...checkClusterFlag,
  ...checkObjectFlags,
  ...checkOutputFlags,
  release: {
    type: 'string',
    description: 'the release in the cluster that the chart would upgrade: fields that cannot be changed are compared',
  },
  'values-schema': {
    type: 'bool',
    description:
      'write a values.schema.json from what the chart reads, its values.yaml and the comments there, instead of checking',
  },
  ...postRendererFlags,
  ...dependencyUpdateFlag,
  ...offlineFlag,
  ...quietFlag,
} satisfies Record<string, FlagSpec>;

const flagsOfCommand = { ...checkFlags, ...chartInputFlags, ...ownFlags };

export interface CheckRequest extends ChartInputs {
  readonly words: readonly string[];
  readonly options: OptionsOf<typeof checkFlags>;
  readonly flags: GivenFlags<typeof ownFlags>;
}

export const command = (context: CliContext, run = runCheck): Command =>
  flagCommand('check', flagsOfCommand, { usage: '[NAME] CHART... [flags]', words: { atLeast: 1 } }, (words, flags) =>
    run({ words, options: optionsOf(checkFlags, flags), ...chartInputs(flags), flags }, context),
  ).description('find what a cluster would refuse in a chart, before deploying it');

async function runCheck(request: CheckRequest, context: CliContext): Promise<void> {
  const { flags } = request;
  const { name, charts } = nameAndCharts(request.words, flags.release, context.io.cwd);
  if (flags.valuesSchema) return writeValuesSchema(charts, request, context);
  keepQuiet(flags, context);
  const shared = await sharedOptions(request, context);
  const checked: CheckedChart[] = [];
  for (const reference of charts)
    checked.push(await checkedChart(reference, { request, options: { ...shared, name } }, context));
  await tellChecked(checked, flags, context);
}

async function writeValuesSchema(charts: readonly string[], request: CheckRequest, context: CliContext): Promise<void> {
  const [reference = '', another] = charts;
  if (another !== undefined)
    throw new TshelmError('bad-flag', { message: `--values-schema is for one chart: remove ${another}` });
  const { valuesSchema } = await import('../../render/values-schema.ts');
  const { writeJson } = await import('../../support/exact-json.ts');
  const { loadRequest } = await import('../sources/load-request.ts');
  const { chart, values } = await loadRequest({ ...request, reference }, context);
  context.io.stdout.write(`${writeJson(valuesSchema(chart, values), '  ')}\n`, 'data');
}

/**
 * The first of several words is the release's name, unless a chart is there by that path. `check shop ./shop` names one
 * chart, so its first word is the name even then.
 */
export function nameAndCharts(words: readonly string[], release: string | undefined, cwd: string) {
  const [first = '', ...rest] = words;
  const isWord = rest.length > 0 && !first.includes('/');
  const path = resolve(cwd, first);
  const isName = isWord && (!existsSync(path) || rest.some((other) => resolve(cwd, other) === path));
  return isName ? { name: first, charts: rest } : { name: release ?? 'release-name', charts: words };
}

/** What all charts of the command have in common. */
async function sharedOptions(request: CheckRequest, context: CliContext): Promise<Omit<CheckOptions, 'name'>> {
  const { options, flags } = request;
  const session = flags.cluster || flags.release !== undefined ? await context.open(flags) : undefined;
  const { findRelease } = await import('../../actions/find-release.ts');
  const { givenObjects } = await import('../sources/given-objects.ts');
  return {
    ...options,
    ...(await givenObjects(flags, request, context)),
    namespace: session?.namespace ?? (await context.namespace(flags)),
    cluster: flags.cluster ? await session?.cluster() : undefined,
    replaced:
      session === undefined || flags.release === undefined
        ? undefined
        : await findRelease(flags.release, undefined, session),
    postRenderer: postRendererOf(flags, context),
    downloadSchema: async (url) => (await import('../sources/sources.ts')).sourcesOf(flags, context).schema(url),
    now: context.io.now,
    secrets: context.secrets,
    signal: context.signal,
  };
}

async function checkedChart(
  reference: string,
  { request, options }: { readonly request: CheckRequest; readonly options: CheckOptions },
  context: CliContext,
): Promise<CheckedChart> {
  const { onDisk } = await import('../errors/chart-file.ts');
  const { withGivenPlace } = await import('../errors/given-values.ts');
  const result = await resultOf(reference, { request, options }, context);
  const findings = result.findings.map((finding) => ({
    ...finding,
    problem: withGivenPlace(finding.problem, request.values),
  }));
  return { reference, result: { ...result, findings }, onDisk: onDisk(reference, context.io.cwd) };
}

/** A chart that cannot be loaded is a finding as one that cannot be rendered is. */
async function resultOf(
  reference: string,
  { request, options }: { readonly request: CheckRequest; readonly options: CheckOptions },
  context: CliContext,
): Promise<CheckResult> {
  const { check, unrendered } = await import('../../actions/check.ts');
  const { loadRequest } = await import('../sources/load-request.ts');
  const { ignoreRules } = await import('../sources/ignore-file.ts');
  const ignore = ignoreRules(request.flags.ignoreFile, reference, context.io.cwd);
  try {
    const { chart, values } = await loadRequest({ ...request, reference }, context);
    return await check(chart, values, { ...options, ignore });
  } catch (error) {
    if (hasCode(error, 'chart-invalid')) return unrendered(error);
    throw error;
  }
}
