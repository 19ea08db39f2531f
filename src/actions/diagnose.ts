import type { Context } from '../change/context.ts';
import { originsOf } from '../change/explained-failure.ts';
import { learnFromReleases } from '../change/learn-secrets.ts';
import { problemWithLines } from '../change/template-lines.ts';
import { diagnose as diagnoseObjects, type WorkloadProblem } from '../cluster/diagnosis.ts';
import { type Unready, unreadyLine } from '../cluster/observe.ts';
import { chooseRule, reasonOf, Unreported } from '../cluster/readiness.ts';
import type { Cluster, Readiness } from '../cluster/types.ts';
import { findExisting } from '../execute/apply/existing.ts';
import { resolveServed } from '../execute/apply/targets.ts';
import { defaultConcurrency } from '../execute/context.ts';
import type { PlanObject } from '../execute/plan-objects.ts';
import { type Described, waitProblems } from '../execute/wait-problems.ts';
import { itemsOf } from '../manifest/items.ts';
import { formatId, idOf, objectKey } from '../manifest/resource-id.ts';
import type { ResourceId } from '../manifest/types.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import type { Problem } from '../problem/problem.ts';
import type { Release, ReleaseStatus } from '../release/types.ts';
import { createLimiter } from '../support/concurrency.ts';
import { printable } from '../support/printable.ts';
import { findRelease } from './find-release.ts';
import type { GetOptions } from './options/readings.ts';

/** What is wrong with a release as it is now. */
export interface ReleaseDiagnosis {
  readonly release: string;
  readonly namespace: string;
  readonly revision: number;
  readonly status: ReleaseStatus;
  /** What the last action said: `Install complete`, or why it failed. */
  readonly description: string;
  /** Whether every object is there and ready. */
  readonly isHealthy: boolean;
  /** The objects that are not, in the order of the manifest. */
  readonly unready: readonly UnreadyObject[];
  /** Why, the likely cause first, with the lines of templates and the values to change. */
  readonly problems: readonly Problem[];
  /** What could not be looked at: forbidden, or no time left. */
  readonly gaps: readonly string[];
}

export interface UnreadyObject {
  readonly id: ResourceId;
  /** `missing`: it is not in the cluster. */
  readonly state: 'missing' | 'waiting' | 'failed';
  readonly reason: string;
}

/**
 * Looks at every object of a release (not its hooks) by the rules of an ordered wait, and from those that are not ready
 * down to the containers at fault. Nothing is sent. Errors: `release-not-found`, `revision-not-found`.
 */
export async function diagnose(options: GetOptions, context: Context): Promise<ReleaseDiagnosis> {
  const release = await findRelease(options.name, options.revision, context);
  if (context.secrets !== undefined) learnFromReleases([release], context.secrets);
  const cluster = await context.cluster();
  const mask = (text: string): string => printable(context.secrets?.redact(text) ?? text);
  const looked = await lookAt(release, cluster, context);
  const unready = looked.unready.map((one) => ({ ...one, reason: mask(one.reason) }));
  const { problems, gaps } = await diagnoseObjects(cluster, unready.map(({ id }) => id).slice(0, mostLookedAt), {
    signal: context.signal,
    strategy: 'ordered',
    userRules: context.userRules,
    mask,
  });
  return {
    release: release.name,
    namespace: release.namespace,
    revision: release.version,
    status: release.info.status,
    description: mask(release.info.description ?? ''),
    isHealthy: unready.length === 0,
    unready: unready.map(({ id, state, status, reason }) => ({
      id,
      state: status === missing ? 'missing' : state,
      reason,
    })),
    problems: locatedProblems(unready, problems, release),
    gaps: [...looked.gaps, ...gaps],
  };
}

/** More are looked at by nobody, and cost the API server requests when it may be in trouble itself. */
const mostLookedAt = 20;

/** As kstatus says it. */
const missing = 'NotFound';

/** The objects of a release that are not ready, and those of which nothing can be said. */
async function lookAt(
  release: Release,
  cluster: Cluster,
  { signal, userRules }: Context,
): Promise<{ readonly unready: readonly Unready[]; readonly gaps: readonly string[] }> {
  const gaps: string[] = [];
  const where = { cluster, namespace: release.namespace, signal };
  const targets = await resolveServed(readStoredManifest(release.manifest), where, (object) =>
    gaps.push(`${formatId(idOf(object))}: the cluster does not serve this kind`),
  );
  const limit = createLimiter(defaultConcurrency);
  const ids = targets.map(({ id }) => id);
  const { objects, failures } = await findExisting(ids, { cluster, limit, signal });
  gaps.push(...failures.map(({ id }) => `${formatId(id)} could not be read`));
  const unknown = new Set(failures.map(({ id }) => objectKey(id)));
  const judged = ids.map(async (id): Promise<readonly Unready[]> => {
    const object = objects.get(objectKey(id));
    if (object === undefined)
      return unknown.has(objectKey(id)) ? [] : [unreadyOf(id, missing, { state: 'failed', reason: 'not found' })];
    const live = { ...object, apiVersion: id.apiVersion, kind: id.kind };
    const { judge } = chooseRule(live, { strategy: 'ordered', waitForJobs: true, userRules });
    const unreported = await Unreported.of([id], cluster, { since: live.metadata.creationTimestamp, signal });
    const state = unreported.judge(id, live, judge(live));
    return state.state === 'ready' ? [] : [unreadyOf(id, state.state === 'failed' ? 'Failed' : 'InProgress', state)];
  });
  return { unready: (await Promise.all(judged)).flat(), gaps };
}

function unreadyOf(id: ResourceId, status: string, state: Exclude<Readiness, { readonly state: 'ready' }>): Unready {
  const said = { id, status, unmet: 'not ready', reason: reasonOf(state) ?? '', facts: state.facts };
  return { ...said, state: state.state, line: unreadyLine(said) };
}

/** As of a wait that failed, with the lines of the chart that the release recorded. */
function locatedProblems(
  unready: readonly Unready[],
  problems: readonly WorkloadProblem[],
  release: Release,
): readonly Problem[] {
  const described = unready.map((one): Described & { readonly messageLine: readonly string[] } => ({
    one,
    found: problems.filter(({ subject }) => objectKey(subject.id) === objectKey(one.id)),
    messageLine: [],
  }));
  const planned = readStoredManifest(release.manifest).flatMap(({ object, source }) =>
    itemsOf(object).map((item): PlanObject => ({ object: item, source })),
  );
  const origins = originsOf({ release, again: undefined });
  return waitProblems(described, planned).map((problem) => problemWithLines(problem, origins));
}
