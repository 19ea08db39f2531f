import { announcedStatus } from '../actions/rehearsal/announced-status.ts';
import { podMs, timeOf, type Workload, workloadKey } from '../actions/rehearsal/assumptions.ts';
import { defaultFate, durationMs, impliedWorkloads, placesIn } from '../actions/rehearsal/script.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import type { Plan } from '../plan/types.ts';
import { type AnnotationRule, type Fate, fates, isFailure } from '../sandbox/index.ts';
import { nearest } from '../support/near.ts';
import { refused } from './option-checks.ts';

/** What a test says of its workloads, for charts that say nothing of it themselves. */
export interface SandboxScript {
  /** Milliseconds by `kind/name`, kind, or `*`. */
  readonly assume?: Readonly<Record<string, number>> | undefined;
  /** `web`, `job/migrate`, `web=image-pull`, a subchart or group; `*` for everything. */
  readonly fail?: string | readonly string[] | undefined;
}

/** A script, and a check for the end. */
export interface RunningScript {
  readonly annotation: AnnotationRule;
  /** Learns what a plan has in its subcharts and groups, before it is carried out. */
  readonly onPlan: (plan: Plan) => void;
  /** That what was to fail has run, where workloads ran; what comes later than a failure may not have. Errors: `bad-options`. */
  readonly checkFailures: () => void;
}

/** Does what a test says; what it says nothing of does as its annotations say. Errors: `bad-options`. */
export function scriptOf({ assume = {}, fail = [] }: SandboxScript): RunningScript {
  const assumptions = { assumed: new Map(Object.entries(assume).map(timeIn)), history: new Map() };
  const failing = [fail].flat().map(fateIn);
  const ran = new Map<string, Workload>();
  const places = new Set<string>();
  const onPlan = (plan: Plan): void => {
    for (const { what, implied } of failing) for (const key of impliedWorkloads(what, plan)) implied.add(key);
    for (const place of placesIn(plan)) places.add(place);
  };
  const annotation: AnnotationRule = (word, chain, annotated) => {
    const top = chain.at(-1) as KubernetesObject;
    const workload: Workload = { kind: top.kind, name: top.metadata.name };
    const failure = failing.find(({ names }) => names(workload));
    if (word === 'fate') ran.set(`${top.kind}/${top.metadata.name}`, workload);
    const fate = failure && (failure.fate ?? defaultFate(top.kind));
    if (word === 'fate' && fate !== undefined) return fate;
    if (word === 'status' && fate !== undefined) return annotated ?? announcedStatus(top, isFailure(fate));
    if (word !== 'ready-after') return annotated;
    const time = timeOf(workload, durationMs(annotated), assumptions);
    return time.from === 'assumed' ? `${podMs(time, chain)}ms` : annotated;
  };
  return { annotation, onPlan, checkFailures: () => checkFailures(failing, ran, places) };
}

function checkFailures(
  failing: readonly Failure[],
  ran: ReadonlyMap<string, Workload>,
  places: ReadonlySet<string>,
): void {
  const workloads = [...ran.keys()].sort();
  const idle = failing.filter(({ names }) => ![...ran.values()].some(names));
  if (idle.length === 0 || workloads.length === 0) return;
  // What another name means is not meant by this one: `web2` may only have come later than `web`.
  const others = workloads.filter((one) => !failing.some(({ names }) => names(ran.get(one) as Workload)));
  const meant = idle.flatMap(({ what }) => nearest(what, [...others, ...others.map(nameIn), ...places]) ?? []);
  if (idle.length < failing.length && meant.length === 0) return;
  const hint = meant.length === 0 ? '' : `; did you mean ${meant.join(', ')}?`;
  const named = idle.map(({ what }) => what).join(', ');
  const inPlaces = places.size === 0 ? '' : ` in the subcharts and groups ${[...places].sort().join(', ')}`;
  throw refused('fail', `cannot fail ${named}: the sandbox ran ${workloads.join(', ')}${inPlaces}${hint}`);
}

const nameIn = (workload: string): string => workload.slice(workload.indexOf('/') + 1);

function timeIn([what, ms]: readonly [string, number]): [string, number] {
  if (!Number.isFinite(ms) || ms < 0) throw refused('assume', `assume: ${what} must be a number of milliseconds`);
  return [workloadKey(what), ms];
}

interface Failure {
  readonly what: string;
  readonly names: (workload: Workload) => boolean;
  /** What it means by the plans so far, where no workload has the name. */
  readonly implied: Set<string>;
  readonly fate: Fate | undefined;
}

function fateIn(text: string): Failure {
  const [what = '', fate, ...more] = text.split('=') as [string?, Fate?, ...string[]];
  if (what.trim() !== what || what === '' || what.split('/').includes('') || more.length > 0)
    throw refused(
      'fail',
      `fail: ${JSON.stringify(text)} names no workload; write NAME, KIND/NAME or *, and =FATE behind it`,
    );
  if (fate !== undefined && !fates.includes(fate))
    throw refused('fail', `fail: unknown kind of failure ${JSON.stringify(fate)}; choose one of ${fates.join(', ')}`);
  const key = workloadKey(what);
  const implied = new Set<string>();
  const names = ({ kind, name }: Workload): boolean => {
    const own = workloadKey(`${kind}/${name}`);
    return what === '*' || name === what || own === key || implied.has(own);
  };
  return { what, names, implied, fate };
}
