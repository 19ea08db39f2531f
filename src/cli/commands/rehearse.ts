import { Command } from 'commander';
import { type ChartInputs, chartInputFlags, chartInputs } from '../../actions/options/chart.ts';
import { healthFlag } from '../../actions/options/health.ts';
import type { RehearsedChange, RehearseOptions, RehearseResult } from '../../actions/rehearse.ts';
import type { Context } from '../../change/context.ts';
import { chartFlags } from '../../change/deploy/deploy-options.ts';
import { type FlagSpec, type OptionsOf, optionsOf } from '../../change/option-rows.ts';
import { TshelmError, unreachable } from '../../support/errors.ts';
import { hasWaited, notRunInSandbox } from '../before-run.ts';
import type { CliContext } from '../context.ts';
import { requireArguments } from '../flags/arguments.ts';
import { postRendererFlags, refuseContradictions } from '../flags/chart-flags.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { drawnOutputFlag } from '../flags/flags.ts';
import { assumeFlag, failFlag } from '../flags/rehearsal-flags.ts';
import { offlineFlag } from '../flags/source-flags.ts';
import { healthRulesOf } from '../sources/health-rules.ts';
import { postRendererOf } from '../sources/post-renderer.ts';
import { kindOf, type TextKind } from '../terminal/io.ts';

const actions = ['install', 'upgrade', 'rollback', 'uninstall'] as const;
type Action = (typeof actions)[number];

const ownFlags = {
  ...drawnOutputFlag,
  action: {
    type: 'choice',
    placeholder: 'string',
    choices: actions,
    description:
      'what to rehearse: install, upgrade, rollback or uninstall (default: install; with --release: upgrade, or uninstall if no chart is given)',
  },
  ...assumeFlag,
  ...healthFlag,
  ...failFlag,
  compare: {
    type: 'bool',
    description:
      'compare the time and the restarts with no order, the declared one and the suggested one; containers crash until the hosts that they name are ready (--fail: something else)',
  },
  release: {
    type: 'string',
    description: 'the release to upgrade, roll back or uninstall; its history says how long its workloads take',
  },
  revision: { type: 'int', description: 'the revision to roll back to (default: the one before the last)' },
} satisfies Record<string, FlagSpec>;

const rehearseFlags = {
  ...chartFlags,
  ...chartInputFlags,
  ...postRendererFlags,
  ...offlineFlag,
  ...ownFlags,
};

export interface RehearseRequest extends ChartInputs {
  readonly words: readonly string[];
  /** Of whatever is rehearsed; an action takes those of them that it has. */
  readonly options: OptionsOf<typeof chartFlags>;
  readonly flags: GivenFlags<typeof ownFlags & typeof postRendererFlags & typeof offlineFlag>;
}

export const command = (context: CliContext, run = runRehearse): Command =>
  flagCommand('rehearse', rehearseFlags, { usage: '[NAME] [CHART] [flags]' }, async (words, flags, command) => {
    requireArguments(command, words, flags.release === undefined ? { atLeast: 1 } : { atLeast: 0 });
    refuseContradictions(flags);
    const request: RehearseRequest = {
      words,
      options: { wait: 'ordered', ...optionsOf(chartFlags, flags) },
      ...chartInputs(flags),
      flags,
    };
    await run(request, context);
  }).description(
    'run a deployment with --wait=ordered in a sandbox with simulated time, and show how long it takes and why',
  );

async function runRehearse(request: RehearseRequest, context: CliContext): Promise<void> {
  const { words, flags } = request;
  const { rehearse } = await import('../../actions/rehearse.ts');
  const what = rehearsalTargetOf(words, flags);
  const live = what.action === 'install' && flags.release === undefined ? undefined : await context.open(flags);
  const change = await changeOf(what, request, context);
  const options = await rehearseOptions(request, live, context);
  if (flags.compare === true) return await runComparison(change, options, { flags, live, context });
  const result = await rehearse(change, options, live);
  context.io.stdout.write(await outputText(result, flags, context), kindOfRehearsal(flags.output));
  for (const workload of result.idleAssumptions)
    context.io.stderr.write(`warning: --assume ${workload}: the plan has no such workload\n`, 'folded');
  const { failure, plan } = result.rehearsal;
  if (failure === undefined && flags.output === 'table' && hasWaited(plan))
    context.io.stderr.write(notRunInSandbox, 'folded');
  if (failure === undefined && flags.fail !== undefined && !flags.fail.endsWith('=crash-until-ready'))
    context.io.stderr.write(`warning: ${flags.fail} did not fail: this run does not start any of it\n`, 'folded');
  if (failure !== undefined && flags.fail === undefined)
    throw new TshelmError('rehearsal-failed', { message: `the rehearsal failed: ${failure.message}` });
}

/** What is wider than a terminal goes on below it. */
const kindOfRehearsal = (output: string): TextKind => (output === 'table' ? 'folded' : kindOf(output));

interface Comparison {
  readonly flags: RehearseRequest['flags'];
  readonly live: Context | undefined;
  readonly context: CliContext;
}

async function runComparison(
  change: RehearsedChange,
  options: RehearseOptions,
  { flags: { output }, live, context: { io } }: Comparison,
): Promise<void> {
  if (!('chart' in change))
    throw badArguments('--compare needs a chart: only an install or upgrade has orders to compare');
  const { comparedFailure, compareOrders } = await import('../../actions/compare-orders.ts');
  const orders = await compareOrders(change, options, live);
  const { comparedHeadline, comparisonText, rehearsalColumns } = await import('../output/rehearsal-text.ts');
  if (output === 'table')
    return io.stdout.write(
      comparisonText(orders, options.fail ?? comparedFailure, rehearsalColumns(io.stdout)),
      kindOfRehearsal(output),
    );
  if (output === 'html') {
    const { rehearsalPage } = await import('../output/rehearsal-page.ts');
    const titled = orders.map((one) => ({ title: comparedHeadline(one, orders), rehearsal: one.rehearsal }));
    return io.stdout.write(rehearsalPage(titled), kindOf(output));
  }
  const { rehearsalData } = await import('../../actions/rehearsal/data.ts');
  const { formatted } = await import('../terminal/format.ts');
  const data = { orders: orders.map(({ order, rehearsal }) => ({ order, ...rehearsalData(rehearsal) })) };
  return io.stdout.write(formatted(data, output), kindOf(output));
}

interface RehearsalTarget {
  readonly action: Action;
  readonly name: string | undefined;
  readonly chart: string | undefined;
}

function rehearsalTargetOf(words: readonly string[], { action, release }: RehearseRequest['flags']): RehearsalTarget {
  const [first, second, third] = words;
  if (third !== undefined) throw badArguments(`expected at most two arguments, unexpected arguments: ${third}`);
  const chart = second ?? first;
  const name = second === undefined ? release : first;
  const asked = action ?? (release === undefined ? 'install' : chart === undefined ? 'uninstall' : 'upgrade');
  return { name: asked === 'install' ? name : needed(name, '--release'), chart, action: asked };
}
const badArguments = (message: string): TshelmError => new TshelmError('bad-arguments', { message });

function needed(value: string | undefined, what: string): string {
  if (value !== undefined) return value;
  throw badArguments(`this rehearsal needs ${what}: tshelm rehearse CHART, or tshelm rehearse --release NAME [CHART]`);
}

async function changeOf(
  { action, name, chart: reference }: RehearsalTarget,
  { options, values, access, flags }: RehearseRequest,
  context: CliContext,
): Promise<RehearsedChange> {
  const load = async () => {
    const { loadRequest } = await import('../sources/load-request.ts');
    return loadRequest({ reference: needed(reference, 'a chart'), access, values, flags }, context);
  };
  const ofRelease = () => ({ ...options, name: needed(flags.release ?? name, '--release') });
  switch (action) {
    case 'install': {
      const loaded = await load();
      return { kind: action, ...loaded, options: { ...options, name: name ?? loaded.chart.metadata.name } };
    }
    case 'upgrade':
      return { kind: action, ...(await load()), options: ofRelease() };
    case 'rollback':
      return { kind: action, options: { ...ofRelease(), revision: flags.revision } };
    case 'uninstall':
      return { kind: action, options: ofRelease() };
    default:
      return unreachable(action);
  }
}

/** Templates see the cluster that the release is in, where there is one. */
async function rehearseOptions(
  { options, flags }: RehearseRequest,
  live: Context | undefined,
  context: CliContext,
): Promise<RehearseOptions> {
  const { readAssumed } = await import('../../actions/rehearsal/assumptions.ts');
  const { io } = context;
  return {
    namespace: live?.namespace ?? (await context.namespace(flags)),
    rendering: { now: io.now, postRenderer: postRendererOf(flags, context), seenCluster: await live?.cluster() },
    userRules: await healthRulesOf(flags.health, io),
    start: io.now(),
    signal: context.signal,
    assumed: readAssumed(flags.assume ?? new Map()),
    fail: flags.fail,
    isEager: options.eager === true,
    rollbackOnFailure: options.rollbackOnFailure === true,
  };
}

async function outputText(
  { rehearsal, rolledBack }: RehearseResult,
  { output }: RehearseRequest['flags'],
  { io }: CliContext,
): Promise<string> {
  const rehearsals = rolledBack === undefined ? [rehearsal] : [rehearsal, rolledBack];
  if (output === 'table') {
    const { rehearsalColumns, rehearsalText } = await import('../output/rehearsal-text.ts');
    const columns = rehearsalColumns(io.stdout);
    const texts = rehearsals.map((each) => rehearsalText(each, columns));
    return texts.join('\nThe same with --rollback-on-failure:\n\n');
  }
  if (output === 'html') {
    const { rehearsalPage } = await import('../output/rehearsal-page.ts');
    const { headline } = await import('../output/rehearsal-text.ts');
    const again = 'The same with --rollback-on-failure: ';
    return rehearsalPage(
      rehearsals.map((each) => ({ title: `${each === rolledBack ? again : ''}${headline(each)}`, rehearsal: each })),
    );
  }
  const { rehearsalData } = await import('../../actions/rehearsal/data.ts');
  const { formatted } = await import('../terminal/format.ts');
  const [first, second] = rehearsals.map(rehearsalData);
  return formatted({ ...first, ...(second && { withRollbackOnFailure: second }) }, output);
}
