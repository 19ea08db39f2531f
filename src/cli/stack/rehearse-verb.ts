import { readAssumed } from '../../actions/rehearsal/assumptions.ts';
import { type RehearsedChange, type RehearseResult, rehearse } from '../../actions/rehearse.ts';
import { uninstallOptionsOf } from '../../stack/action-options.ts';
import { deployOrder, type StackNode, without } from '../../stack/plan-stack.ts';
import type { StackRehearsal } from '../../stack/rehearsed.ts';
import { type Scheduled, scheduled } from '../../stack/schedule.ts';
import { deployOptionsOf } from '../../stack/work/options.ts';
import { postRendererOfRelease } from '../../stack/work/post-renderer.ts';
import type { StackSession } from '../../stack/work/session.ts';
import { deployedValues, type StackWork } from '../../stack/work/work.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { type FlagsOf, optionsOf } from '../flag-rows.ts';
import { seeing, wholeSecond } from '../rehearsing.ts';
import { planFlags, type stackRehearseFlags } from './change-flags.ts';
import type { StackFlags } from './flags.ts';
import { openWork, runOptionsOf } from './open-work.ts';

type RehearseFlags = StackFlags & FlagsOf<typeof stackRehearseFlags>;

/**
 * Rehearses each release in a sandbox of its own, and tells when it would be worked on in a run over the graph. Errors:
 * `rehearsal-failed` for a failure that nobody asked for, `bad-flag`, those of reading the stack and of each change.
 */
export async function runStackRehearse(flags: RehearseFlags, context: CliContext): Promise<void> {
  const { work } = await openWork('rehearse', flags, optionsOf(planFlags, flags), context);
  const failing = failingOf(flags.fail, work.nodes);
  const results = new Map<string, RehearseResult>();
  // One after another: a sandbox's time goes by while nothing else happens in the process.
  for (const node of work.nodes) {
    const result = await rehearsed(node, { work, flags, context, fail: failing.get(node.id) });
    if (result !== undefined) results.set(node.id, result);
  }
  const nodes = without(deployOrder(work.nodes), ({ id }) => !results.has(id));
  const timed = nodes.map((node) => ({ ...node, ...timeOf(results.get(node.id) as RehearseResult) }));
  const { concurrency, failFast } = flags;
  const when = await scheduled(timed, { concurrency, failFast });
  const releases = nodes.map((node) => ({
    node,
    rehearsal: (results.get(node.id) as RehearseResult).rehearsal,
    when: when.get(node.id) as Scheduled,
  }));
  const whole: StackRehearsal = { releases, concurrency };
  context.io.stdout.write(context.secrets.redact(await outputText(whole, flags, context)));
  tellDoubts([...results], failing, flags, context);
}

const timeOf = ({ rehearsal }: RehearseResult) => ({
  takesMs: rehearsal.totalMs,
  fails: rehearsal.failure !== undefined,
});

/** What of which release fails. Errors: `bad-flag`. */
function failingOf(text: string | undefined, nodes: readonly StackNode[]): ReadonlyMap<string, string> {
  if (text === undefined) return new Map();
  const begins = (name: string): boolean => text === name || text.startsWith(`${name}:`) || text.startsWith(`${name}=`);
  const found = nodes
    .flatMap(({ id, release }) => [id, release.name ?? ''].filter(begins).map((name) => ({ id, name })))
    .sort((a, b) => b.name.length - a.name.length);
  const [best] = found;
  const twins = new Set(found.filter(({ name }) => name === best?.name).map(({ id }) => id));
  if (best === undefined || twins.size > 1) {
    const which = twins.size > 1 ? `it may be ${[...twins].join(', ')}` : 'the stack has no such release';
    throw new TshelmError('bad-flag', {
      message: `--fail ${text}: ${which}; write --fail NAMESPACE/RELEASE, or --fail NAMESPACE/RELEASE:job/migrate`,
    });
  }
  const what = text.slice(best.name.length);
  return new Map([[best.id, what.startsWith(':') ? what.slice(1) : `*${what}`]]);
}

interface Rehearsing {
  readonly work: StackWork;
  readonly flags: RehearseFlags;
  readonly context: CliContext;
  readonly fail: string | undefined;
}

/** Undefined for what is neither wanted nor there. */
async function rehearsed(node: StackNode, rehearsing: Rehearsing): Promise<RehearseResult | undefined> {
  const { work, flags, context, fail } = rehearsing;
  const { release, file } = node;
  const live = flags.live ? await work.sessions.of(release, file) : undefined;
  const isThere = live !== undefined && (await work.records.newest(release.name ?? '', live)) !== undefined;
  if (!node.isWanted && !isThere) return undefined;
  const change = await changeOf(node, rehearsing);
  const postRenderer = postRendererOfRelease({ release, file }, work.reading, work.tools);
  const { options } = change;
  return rehearse(
    change,
    {
      namespace: await namespaceOf(node, live, rehearsing),
      renderer: seeing(await live?.cluster(), work.tools.rendererWith(postRenderer)),
      startMs: wholeSecond(context.io.now()),
      signal: context.interruption(),
      assumed: readAssumed(flags.assume ?? new Map()),
      fail,
      isEager: flags.eager === true,
      rollbackOnFailure: 'rollbackOnFailure' in options && options.rollbackOnFailure === true,
    },
    live,
  );
}

async function namespaceOf(
  { release }: StackNode,
  live: StackSession | undefined,
  { flags, context }: Rehearsing,
): Promise<string> {
  return live?.namespace ?? (release.namespace || (await context.namespace(flags)));
}

async function changeOf(node: StackNode, { work, flags }: Rehearsing): Promise<RehearsedChange> {
  const { release, file, isWanted } = node;
  if (!isWanted) return { kind: 'uninstall', options: uninstallOptionsOf(release, file) };
  const chart = await work.charts.of(release, file);
  const values = await deployedValues(node, work);
  const options = deployOptionsOf(node, work, runOptionsOf(flags));
  return { kind: 'upgrade', chart, values, options };
}

async function outputText(whole: StackRehearsal, { output }: RehearseFlags, { io }: CliContext): Promise<string> {
  if (output === 'table') {
    const { stackRehearsalText } = await import('../output/stack-rehearsal.ts');
    const { printable } = await import('../../support/printable.ts');
    return printable(stackRehearsalText(whole, io.stdout.columns ?? 120));
  }
  if (output === 'html') return (await import('../output/stack-rehearsal.ts')).stackRehearsalPage(whole);
  const { stackRehearsalData } = await import('../output/stack-rehearsal.ts');
  const { formatted } = await import('../output/format.ts');
  return formatted(stackRehearsalData(whole), output);
}

/** What was said and came to nothing; what failed and was not said to. Errors: `rehearsal-failed`. */
function tellDoubts(
  results: readonly (readonly [string, RehearseResult])[],
  failing: ReadonlyMap<string, string>,
  { fail }: RehearseFlags,
  { io }: CliContext,
): void {
  const idle = results.map(([, { idleAssumptions }]) => idleAssumptions);
  for (const workload of idle[0]?.filter((one) => idle.every((list) => list.includes(one))) ?? [])
    io.stderr.write(`warning: --assume ${workload}: no release has such a workload\n`);
  const failures = results.flatMap(([id, { rehearsal }]) =>
    rehearsal.failure === undefined ? [] : [{ id, rehearsal }],
  );
  if (fail !== undefined && !failures.some(({ id }) => failing.has(id)))
    io.stderr.write(`warning: ${fail} did not fail: the run does not start any of it, or does not wait for it\n`);
  const unasked = failures.filter(({ id }) => !failing.has(id));
  if (unasked.length === 0) return;
  const lines = unasked.map(({ id, rehearsal }) => `  ${id}: ${rehearsal.failure?.message}`);
  throw new TshelmError('rehearsal-failed', { message: `the rehearsal failed:\n${lines.join('\n')}` });
}
