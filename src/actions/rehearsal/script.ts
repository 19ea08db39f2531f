import { chartNamesOf } from '../../chart/paths.ts';
import { ifReadable } from '../../go/if-readable.ts';
import { parseDuration } from '../../go/time/duration.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { manifestsOfStep } from '../../plan/arrange.ts';
import { declarationOf } from '../../plan/declarations.ts';
import { type Item, ObjectIndex } from '../../plan/derived/object-index.ts';
import { evidenceIn } from '../../plan/suggested/evidence.ts';
import { mutualEvidence } from '../../plan/suggested/suggestion.ts';
import type { Evidence } from '../../plan/suggested/types.ts';
import type { Plan } from '../../plan/types.ts';
import { type AnnotationRule, type Fate, fates, isFailure } from '../../sandbox/index.ts';
import { TshelmError } from '../../support/errors.ts';
import { announcedStatus } from './announced-status.ts';
import { type Assumptions, podMs, type TimeSource, timeOf, type Workload, workloadKey } from './assumptions.ts';
import { type Candidate, candidatesOf } from './candidates.ts';

/** Which workloads fail, by {@link workloadKey}, and how. */
export type FateByWorkload = ReadonlyMap<string, GivenFate>;

export interface GivenFate {
  readonly fate: Fate | undefined;
  /** Of one that crashes until its hosts are ready: the Services that it does without, and the Jobs that it needs. */
  readonly doesWithout?: readonly string[] | undefined;
  readonly afterJobs?: readonly string[] | undefined;
}

/** What the sandbox is told to do with each workload; `onTime` is told the time that one gets and where it is from. */
export function scriptRule(
  assumptions: Assumptions,
  failing: FateByWorkload,
  onTime: (workload: Workload, ms: number, from: TimeSource) => void,
): AnnotationRule {
  const failure = failureRule(failing);
  return (word, chain, annotated) => {
    const { top, key } = workloadOf(chain);
    switch (word) {
      case 'ready-after': {
        const workload = { kind: top.kind, name: top.metadata.name };
        const time = timeOf(workload, durationMs(annotated), assumptions);
        onTime(workload, time.ms, time.from);
        return `${podMs(time, chain)}ms`;
      }
      case 'status':
        return annotated ?? announcedStatus(top, failing.has(key) && isFailure(fateOf(top, failing.get(key)?.fate)));
      case 'delete-after':
        return annotated ?? '0s';
      case 'retry-after':
        // As long as Kubernetes' Job controller waits before its second try.
        return annotated ?? '10s';
      default:
        return failure(word, chain, annotated);
    }
  };
}

/** Lets these workloads fail; everything else is as annotated. */
export function failureRule(failing: FateByWorkload): AnnotationRule {
  return (word, chain, annotated) => {
    const { top, key } = workloadOf(chain);
    if (!failing.has(key)) return annotated;
    const fate = fateOf(top, failing.get(key)?.fate);
    if (word === 'does-without') return annotated ?? failing.get(key)?.doesWithout?.join();
    if (word === 'after-jobs') return annotated ?? failing.get(key)?.afterJobs?.join();
    if (word === 'fate') return fate;
    return word === 'status' ? (annotated ?? announcedStatus(top, isFailure(fate))) : annotated;
  };
}

const fateOf = ({ kind }: KubernetesObject, fate: Fate | undefined): Fate => fate ?? defaultFate(kind);

function workloadOf(chain: Parameters<AnnotationRule>[1]): { readonly top: KubernetesObject; readonly key: string } {
  const top = chain.at(-1) as KubernetesObject;
  return { top, key: workloadKey(`${top.kind}/${top.metadata.name}`) };
}

/** How a workload of a kind fails where nothing else is said. */
export const defaultFate = (kind: string): Fate => (kind === 'Job' || kind === 'Pod' ? 'fail' : 'crash-loop');

/** A Go duration in milliseconds; undefined where it cannot be read. */
export function durationMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return ifReadable(() => Number(parseDuration(text)) / 1e6);
}

/**
 * What `--fail NAME[=FATE]` names: `kind/name`, a name, either without the revision's number at its end, a subchart or group, which means everything in it, or `*`: everything.
 * Errors: `bad-options`, with what there is.
 */
export function readFailing(text: string, plan: Plan): FateByWorkload {
  const [name, fate] = text.split('=') as [string, string | undefined];
  if (fate !== undefined && !fates.includes(fate as Fate))
    throw badFailFlag(
      `unknown kind of failure "${fate}"; choose one of ${fates.filter((each) => each !== 'ok').join(', ')}`,
      text,
    );
  const found = chosen(name, plan);
  const neededBy = fate === 'crash-until-ready' ? neededIn(plan) : () => ({});
  return new Map(found.map((each) => [keyOf(each), { fate: fate as Fate | undefined, ...neededBy(keyOf(each)) }]));
}

/**
 * The Services that a workload does without: those behind which the plan has no pods, and those that name it too; and the
 * Jobs that it needs: its migrations, and those of the groups that it waits for.
 */
function neededIn({ steps, namespace }: Plan): (workload: string) => Omit<GivenFate, 'fate'> {
  const objects = new ObjectIndex(steps.flatMap(manifestsOfStep));
  const empty = objects.all.filter((one) => one.id.kind === 'Service' && objects.workloadsBehind(one).length === 0);
  const evidence = evidenceIn(objects, namespace);
  const mutual = mutualEvidence(evidence.filter(({ word }) => word !== ''));
  const uncertain = new Set(mutualEvidence(evidence));
  const migrations = evidence.filter((one) => one.word === '' && one.needed.id.kind === 'Job' && !uncertain.has(one));
  const of = (workload: string, all: readonly Evidence[]) => all.filter(({ user }) => keyOf(user.id) === workload);
  return (workload) => ({
    doesWithout: [
      ...empty.map(({ id }) => id.name),
      ...of(workload, mutual).map(({ word }) => word.split('.')[0] ?? ''),
    ],
    afterJobs: [
      ...of(workload, migrations).map(({ needed }) => needed.id.name),
      ...objects.all.filter(({ id }) => keyOf(id) === workload).flatMap((user) => declaredJobs(user, objects)),
    ],
  });
}

function declaredJobs({ manifest }: Item, { all }: ObjectIndex): readonly string[] {
  const { afterGroups } = declarationOf(manifest);
  const chart = chartNamesOf(manifest.source).join();
  return all
    .filter(({ id, manifest: { source } }) => id.kind === 'Job' && chartNamesOf(source).join() === chart)
    .filter((job) => declarationOf(job.manifest).groups.some((group) => afterGroups.includes(group)))
    .map(({ id }) => id.name);
}

const revisionOf = ({ steps }: Plan): number | undefined =>
  steps.flatMap((step) => (step.kind === 'record' ? step.revision : []))[0];

function chosen(name: string, plan: Plan): readonly Candidate[] {
  const candidates = candidatesOf(plan);
  if (name === '*' && candidates.length > 0) return candidates;
  const exact = candidates.filter((each) => keyOf(each) === workloadKey(name));
  if (exact.length > 0) return exact;
  const named = candidates.filter((each) => each.name === name);
  if (named.length === 1) return named;
  if (named.length > 1) throw badFailFlag(`it may be ${listOf(named)}`, name);
  const implied = impliedBy(name, candidates, revisionOf(plan));
  if (implied.length > 0) return implied;
  const places = placesIn(plan);
  const inPlaces = places.length === 0 ? '' : `; its subcharts and groups are ${places.join(', ')}`;
  throw badFailFlag(
    `the chart has no workload with this name; it has ${listOf(candidates) || 'none'}${inPlaces}`,
    name,
  );
}

/** What a name means that no workload has: the Job with the revision at its end, or everything in a subchart or group. */
function impliedBy(name: string, candidates: readonly Candidate[], revision: number | undefined): readonly Candidate[] {
  // Jobs that run at every revision mostly have its number in their names; who repeats a command leaves it out.
  const whole = `${name}-${revision}`;
  const ofRevision = candidates.filter((each) => isNamed(each, whole));
  return ofRevision.length === 1 ? ofRevision : candidates.filter(({ places }) => places.includes(name));
}

const isNamed = (candidate: Candidate, name: string): boolean =>
  candidate.name === name || keyOf(candidate) === workloadKey(name);

/** The same for programs, of one plan after another: by {@link workloadKey}, none where a workload has the name itself. */
export function impliedWorkloads(name: string, plan: Plan): readonly string[] {
  const candidates = candidatesOf(plan);
  if (candidates.some((each) => isNamed(each, name))) return [];
  return impliedBy(name, candidates, revisionOf(plan)).map(keyOf);
}

/** The subcharts and groups that something can fail in; the chart itself is everything. */
export function placesIn(plan: Plan): readonly string[] {
  const roots = [plan.release, ...plan.steps.flatMap((step) => (step.kind === 'apply' ? step.unit.name : []))];
  const places = new Set(candidatesOf(plan).flatMap((each) => each.places));
  return [...places].filter((place) => place !== '' && !roots.includes(place)).sort();
}

const keyOf = ({ kind, name }: Workload): string => workloadKey(`${kind}/${name}`);

const listOf = (candidates: readonly Candidate[]): string =>
  [...new Set(candidates.map(({ kind, name }) => `${kind}/${name}`))].sort().join(', ');

const badFailFlag = (message: string, text: string): TshelmError =>
  new TshelmError('bad-options', { message: `cannot fail ${text}: ${message}`, details: { option: 'fail' } });
