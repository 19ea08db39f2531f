import { Command } from 'commander';
import type { Context } from '../../actions/context.ts';
import { TshelmError } from '../../support/errors.ts';
import { requireArguments } from '../arguments.ts';
import { type ChartFlags, chartFlags, deployOptions, postRendererOf, valueOptions } from '../chart-flags.ts';
import type { CliContext } from '../context.ts';
import type { FlagSpec, OutputFormat } from '../flag-option.ts';
import { addFlags, outputFlag } from '../flags.ts';
import type { Assumptions } from '../rehearsal/assumptions.ts';
import type { Piece, Rehearsal, RehearsalOptions } from '../rehearsal/rehearse.ts';
import type { Failing } from '../rehearsal/script.ts';

const actions = ['install', 'upgrade', 'rollback', 'uninstall'] as const;
type Action = (typeof actions)[number];

export interface RehearseFlags extends Omit<ChartFlags, 'dryRun'> {
  readonly action?: Action;
  readonly assume?: ReadonlyMap<string, string>;
  readonly fail?: string;
  readonly output: OutputFormat;
  readonly release?: string;
  readonly revision?: number;
}

const { 'dry-run': _dryRun, ...flagsOfCharts } = chartFlags;

const rehearseFlags = {
  ...flagsOfCharts,
  ...outputFlag,
  action: {
    type: 'choice',
    placeholder: 'string',
    parse: actionOfText,
    description:
      'what to rehearse: install, upgrade, rollback or uninstall (default install; with --release upgrade, and without a chart uninstall)',
  },
  assume: {
    type: 'stringToString',
    description:
      "how long workloads take: Deployment=30s, deployment/web=1m, or '*=5s' (can specify multiple or separate with commas)",
  },
  fail: {
    type: 'string',
    description:
      'shows what would happen when this one fails: a workload or hook (web, job/migrate), a subchart or a group; web=image-pull says how',
  },
  release: {
    type: 'string',
    description:
      'the release that is upgraded, rolled back or uninstalled; its history tells how long its workloads take',
  },
  revision: { type: 'int', description: 'the revision to rehearse a rollback to (default the one before the last)' },
} satisfies Record<string, FlagSpec>;

function actionOfText(text: string): Action {
  const found = actions.find((action) => action === text);
  if (found === undefined) throw new Error(`must be one of: ${actions.join(', ')}`);
  return found;
}

export const rehearseCommand = (context: CliContext, run = runRehearse): Command =>
  addFlags(new Command('rehearse'), rehearseFlags)
    .description(
      'run a deployment in a sandbox on simulated time, as --wait=ordered does it, and show how long it takes and why',
    )
    .argument('[words...]')
    .usage('[NAME] [CHART] [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      const flags = command.optsWithGlobals<RehearseFlags>();
      requireArguments(command, words, flags.release === undefined ? { atLeast: 1 } : { atLeast: 0 });
      await run(words, flags, context);
    });

async function runRehearse(words: readonly string[], flags: RehearseFlags, context: CliContext): Promise<void> {
  const { readAssumed } = await import('../rehearsal/assumptions.ts');
  const { rehearse } = await import('../rehearsal/rehearse.ts');
  const request = requestOf(words, flags);
  const live = request.action === 'install' && flags.release === undefined ? undefined : await context.open(flags);
  const piece = await pieceOf(request, flags, live, context);
  const assumptions = { assumed: readAssumed(flags.assume ?? new Map()), history: await historyOf(piece, live) };
  const options = await rehearsalOptions(flags, assumptions, live, context);
  const failing: Failing = flags.fail === undefined ? new Map() : await failingOf(flags.fail, piece, options);
  const rehearsals = [await rehearse(piece, failing, options)];
  const canRollBack = request.action === 'install' || request.action === 'upgrade';
  if (rehearsals[0]?.failure && canRollBack && !options.rollbackOnFailure)
    rehearsals.push(await rehearse(piece, failing, { ...options, rollbackOnFailure: true }));
  context.io.stdout.write(await outputText(rehearsals, flags, context));
  await warnOfIdle(assumptions, rehearsals[0] as Rehearsal, context);
  const { failure } = rehearsals[0] as Rehearsal;
  if (failure === undefined && flags.fail !== undefined)
    context.io.stderr.write(`warning: ${flags.fail} did not fail: the run starts nothing of it anew\n`);
  if (failure !== undefined && flags.fail === undefined)
    throw new TshelmError('rehearsal-failed', { message: `the rehearsal failed: ${failure.message}` });
}

/** What is assumed of workloads that the plan does not have. */
async function warnOfIdle({ assumed }: Assumptions, { plan }: Rehearsal, { io }: CliContext): Promise<void> {
  const { idleAssumptions } = await import('../rehearsal/assumptions.ts');
  const { candidatesOf } = await import('../rehearsal/candidates.ts');
  for (const what of idleAssumptions(assumed, candidatesOf(plan)))
    io.stderr.write(`warning: --assume ${what}: the plan has no such workload\n`);
}

interface Request {
  readonly action: Action;
  readonly name: string | undefined;
  readonly chart: string | undefined;
}

function requestOf(words: readonly string[], { action, release }: RehearseFlags): Request {
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

async function pieceOf(
  { action, name, chart: reference }: Request,
  flags: RehearseFlags,
  live: Context | undefined,
  context: CliContext,
): Promise<Piece> {
  const options = { ...deployOptions({ ...flags, wait: flags.wait ?? 'ordered' }) };
  const history = live === undefined ? [] : await (await live.storage()).revisions(flags.release ?? name ?? '');
  const load = async () => {
    const { loadRequest } = await import('../load-request.ts');
    return loadRequest(needed(reference, 'a chart'), valueOptions(flags), context);
  };
  switch (action) {
    case 'install': {
      const { install } = await import('../../actions/install.ts');
      const { chart, values } = await load();
      const own = { ...options, name: name ?? chart.metadata.name };
      return {
        releaseName: own.name,
        history: [],
        plan: async (on) => (await install(chart, values, { ...own, dryRun: 'client' }, on)).plan,
        run: async (on, { rollbackOnFailure }) =>
          void (await install(chart, values, { ...own, rollbackOnFailure }, on)),
      };
    }
    case 'upgrade': {
      const { upgrade } = await import('../../actions/upgrade.ts');
      const { chart, values } = await load();
      const own = { ...options, name: needed(flags.release ?? name, '--release') };
      return {
        releaseName: own.name,
        history,
        plan: async (on) => (await upgrade(chart, values, { ...own, dryRun: 'server' }, on)).plan,
        run: async (on, { rollbackOnFailure }) =>
          void (await upgrade(chart, values, { ...own, rollbackOnFailure }, on)),
      };
    }
    case 'rollback': {
      const { rollback } = await import('../../actions/rollback.ts');
      const own = { ...options, name: needed(flags.release ?? name, '--release'), revision: flags.revision };
      return {
        releaseName: own.name,
        history,
        plan: async (on) => (await rollback({ ...own, dryRun: 'server' }, on)).plan,
        run: async (on) => void (await rollback(own, on)),
      };
    }
    case 'uninstall': {
      const { uninstall } = await import('../../actions/uninstall.ts');
      const own = { ...options, name: needed(flags.release ?? name, '--release') };
      return {
        releaseName: own.name,
        history,
        plan: async (on) => {
          const { plan } = await uninstall({ ...own, dryRun: true }, on);
          return plan as NonNullable<typeof plan>;
        },
        run: async (on) => void (await uninstall(own, on)),
      };
    }
  }
}

async function historyOf(piece: Piece, live: Context | undefined): Promise<Assumptions['history']> {
  if (live === undefined || piece.history.length === 0) return new Map();
  const { measuredTimes } = await import('../rehearsal/measured-times.ts');
  const { currentOf } = await import('../rehearsal/stage.ts');
  return measuredTimes(await live.cluster(), currentOf(piece.releaseName, piece.history), live.signal);
}

/** Templates see the cluster that the release is in, where there is one. */
async function rehearsalOptions(
  flags: RehearseFlags,
  assumptions: Assumptions,
  live: Context | undefined,
  context: CliContext,
): Promise<RehearsalOptions> {
  const { helmRenderer } = await import('../../actions/rendering/renderer.ts');
  const { io } = context;
  const renderer = helmRenderer({ now: io.now, postRenderer: postRendererOf(flags) });
  const seen = live === undefined ? undefined : await live.cluster();
  return {
    namespace: live?.namespace ?? (await context.namespace(flags)),
    renderer: {
      prepare: renderer.prepare,
      render: (prepared, values, request) =>
        renderer.render(prepared, values, { ...request, cluster: seen ?? request.cluster }),
    },
    // Objects note their times in seconds.
    startMs: Math.trunc(io.now().getTime() / 1000) * 1000,
    signal: context.interruption(),
    assumptions,
    isEager: flags.eager === true,
    rollbackOnFailure: flags.rollbackOnFailure === true || flags.atomic === true,
  };
}

async function failingOf(text: string, piece: Piece, options: RehearsalOptions): Promise<Failing> {
  const { candidatesOf } = await import('../rehearsal/candidates.ts');
  const { readFailing } = await import('../rehearsal/script.ts');
  const { planOf } = await import('../rehearsal/rehearse.ts');
  return readFailing(text, candidatesOf(await planOf(piece, options)));
}

async function outputText(
  rehearsals: readonly Rehearsal[],
  { output }: RehearseFlags,
  { io }: CliContext,
): Promise<string> {
  if (output === 'table') {
    const { rehearsalText } = await import('../rehearsal/text.ts');
    const columns = io.stdout.columns ?? 120;
    const { printable } = await import('../../support/printable.ts');
    const texts = rehearsals.map((rehearsal) => rehearsalText(rehearsal, columns));
    return printable(texts.join('\nThe same with --rollback-on-failure:\n\n'));
  }
  const { rehearsalData } = await import('../rehearsal/data.ts');
  const { formatted } = await import('../output/format.ts');
  const [first, second] = rehearsals.map(rehearsalData);
  return formatted({ ...first, ...(second && { withRollbackOnFailure: second }) }, output);
}
