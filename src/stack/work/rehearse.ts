import { type RehearsedChange, type RehearseResult, rehearse } from '../../actions/rehearse.ts';
import { TshelmError } from '../../support/errors.ts';
import { uninstallOptionsOf } from '../action-options.ts';
import { deployOrder, type StackNode, without } from '../plan-stack.ts';
import type { StackRehearsal } from '../rehearsed.ts';
import { type Scheduled, scheduled } from '../schedule.ts';
import type { RunOptions } from './deploy.ts';
import { healthRulesOf } from './health-rules.ts';
import { deployOptionsOf, type UpgradeOverrides } from './options.ts';
import { postRendererOfRelease } from './post-renderer.ts';
import type { StackSession } from './session.ts';
import { withPlaces } from './tools.ts';
import { deployedValues, type StackWork } from './work.ts';

export interface StackRehearsing extends RunOptions, UpgradeOverrides {
  /** Reads the cluster: releases that are there are upgraded. Otherwise all of them are new. */
  readonly live?: boolean | undefined;
  /** How long workloads take, by their keys (readAssumed, workloadKey). */
  readonly assumed: ReadonlyMap<string, number>;
  /** What fails: a release (`shop/web`), or a workload or hook of one (`shop/web:job/migrate`, `shop/web=image-pull`). */
  readonly fail?: string | undefined;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Of a release that names none. */
  readonly namespace: () => Promise<string>;
}

/** How the run would go, and what was said of it that came to nothing. */
export interface RehearsedStack {
  readonly whole: StackRehearsal;
  /** Assumptions about workloads that no release has. */
  readonly idleAssumptions: readonly string[];
  /** `fail` named something that the run does not start, or does not wait for. */
  readonly isFailIdle: boolean;
  /** What failed and was not said to, by the release. */
  readonly unexpectedFailures: readonly { readonly id: string; readonly message: string }[];
}

/**
 * Rehearses each release in a sandbox of its own, and tells when it would be worked on in a run over the graph. Errors:
 * `bad-options` for a `fail` that names no release, and those of each change.
 */
export async function rehearseStack(work: StackWork, rehearsing: StackRehearsing): Promise<RehearsedStack> {
  const { concurrency, failFast, fail } = rehearsing;
  const failing = failingOf(fail, work.nodes);
  const results = new Map<string, RehearseResult>();
  // One after another: a sandbox's time goes by while nothing else happens in the process.
  for (const node of work.nodes) {
    const result = await withPlaces(node, work.tools, () =>
      rehearsed(node, work, { ...rehearsing, fail: failing.get(node.id) }),
    );
    if (result !== undefined) results.set(node.id, result);
  }
  const nodes = without(deployOrder(work.nodes), ({ id }) => !results.has(id));
  const resultOf = ({ id }: StackNode): RehearseResult => results.get(id) as RehearseResult;
  const when = await scheduled(
    nodes.map((node) => ({ ...node, ...timeOf(resultOf(node)) })),
    { concurrency, failFast },
  );
  const releases = nodes.map((node) => ({
    node,
    rehearsal: resultOf(node).rehearsal,
    when: when.get(node.id) as Scheduled,
  }));
  return { whole: { releases, concurrency }, ...findingsOf([...results], failing) };
}

const timeOf = ({ rehearsal }: RehearseResult) => ({
  takesMs: rehearsal.totalMs,
  fails: rehearsal.failure !== undefined,
});

function findingsOf(
  results: readonly (readonly [string, RehearseResult])[],
  failing: ReadonlyMap<string, string>,
): Omit<RehearsedStack, 'whole'> {
  const idle = results.map(([, { idleAssumptions }]) => idleAssumptions);
  const failures = results.flatMap(
    ([
      id,
      {
        rehearsal: { failure },
      },
    ]) => (failure === undefined ? [] : [{ id, message: failure.message }]),
  );
  return {
    idleAssumptions: idle[0]?.filter((one) => idle.every((list) => list.includes(one))) ?? [],
    isFailIdle: failing.size > 0 && !failures.some(({ id }) => failing.has(id)),
    unexpectedFailures: failures.filter(({ id }) => !failing.has(id)),
  };
}

/** What of which release fails. Errors: `bad-options`. */
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
    throw new TshelmError('bad-options', {
      message: `cannot fail ${text}: ${which}; write NAMESPACE/RELEASE, or NAMESPACE/RELEASE:job/migrate`,
      details: { option: 'fail' },
    });
  }
  const what = text.slice(best.name.length);
  return new Map([[best.id, what.startsWith(':') ? what.slice(1) : `*${what}`]]);
}

/** Undefined for what is neither wanted nor there. */
async function rehearsed(
  node: StackNode,
  work: StackWork,
  rehearsing: StackRehearsing,
): Promise<RehearseResult | undefined> {
  const { release, file } = node;
  const live = rehearsing.live ? await work.sessions.of(release, file) : undefined;
  const isThere = live !== undefined && (await work.records.newest(release.name ?? '', live)) !== undefined;
  if (!node.isWanted && !isThere) return undefined;
  const change = await changeOf(node, work, rehearsing);
  const postRenderer = postRendererOfRelease({ release, file }, work.reading, work.tools);
  const { options } = change;
  const { now, signal, assumed, fail, overrides } = rehearsing;
  return rehearse(
    change,
    {
      namespace: await namespaceOf(node, live, rehearsing),
      rendering: { ...work.tools.rendering, postRenderer, seenCluster: await live?.cluster() },
      userRules: healthRulesOf(node, work.tools.userRules),
      start: now,
      signal,
      assumed,
      fail,
      isEager: overrides.eager === true,
      rollbackOnFailure: 'rollbackOnFailure' in options && options.rollbackOnFailure === true,
    },
    live,
  );
}

const namespaceOf = async (
  { release }: StackNode,
  live: StackSession | undefined,
  { namespace }: StackRehearsing,
): Promise<string> => live?.namespace ?? (release.namespace || (await namespace()));

async function changeOf(node: StackNode, work: StackWork, overrides: UpgradeOverrides): Promise<RehearsedChange> {
  const { release, file, isWanted } = node;
  if (!isWanted) return { kind: 'uninstall', options: uninstallOptionsOf(release, file) };
  const chart = await work.charts.of(release, file);
  const values = await deployedValues(node, work);
  return { kind: 'upgrade', chart, values, options: deployOptionsOf(node, work, overrides) };
}
