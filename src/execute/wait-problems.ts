import { isBroken, type WorkloadProblem } from '../cluster/diagnosis.ts';
import type { Unready } from '../cluster/observe.ts';
import { type FieldPath, valueAtPath } from '../manifest/field-path.ts';
import { idOf } from '../manifest/resource-id.ts';
import type { ResourceId } from '../manifest/types.ts';
import { lastLines } from '../problem/foreign/program-log.ts';
import { type Evidence, type ObjectProblem, problemOf } from '../problem/problem.ts';
import { Quote } from '../problem/quote.ts';
import type { Remedy } from '../problem/remedy.ts';
import type { Reference, WorkloadFact } from '../problem/workload-fact.ts';
import { workloadRemedies } from '../problem/workload-fact.ts';
import { evidenceOf, fieldPlace, objectSubject } from './faults.ts';
import { faultyFields, leavesOf, podSpecOf, references } from './faulty-fields.ts';
import { namesInstead } from './near-names.ts';
import type { PlanObject } from './plan-objects.ts';

/** A resource that a wait ended without, and what was found about it, the likely cause first. */
export interface Described {
  readonly one: Unready;
  readonly found: readonly WorkloadProblem[];
}

/**
 * What is wrong, as a list: each broken thing of each resource, and of a resource that nothing is broken of, what it still
 * lacks. The same cause under two resources (a Deployment and its Service) is one problem.
 */
export function waitProblems(
  described: readonly (Described & { readonly messageLine: readonly string[] })[],
  objects: readonly PlanObject[],
): readonly ObjectProblem[] {
  const seen = new Set<string>();
  return described.flatMap(({ one, found, messageLine }) => {
    const planned = objects.find(({ object }) => object.kind === one.id.kind && object.metadata.name === one.id.name);
    const subject = objectSubject(one.id, planned?.source);
    const message = evidenceOf('message', messageLine);
    const [first, ...others] = found;
    if (first === undefined || isOwnWordBetter(one, first.cause)) {
      const cause = one.facts?.[0] ?? { outlook: 'open', code: 'not-ready', words: new Quote(one.reason) };
      const solutions = solutionsOf({ cause, subject }, planned, objects);
      return [{ ...problemOf({ subject, cause, evidence: message }), ...solutions }];
    }
    const { noProgressMs, isRestartTooLate } = one.facts?.[0] ?? {};
    const cause = { ...first.cause, noProgressMs, isRestartTooLate };
    const broken: readonly WorkloadProblem[] = [{ ...first, cause }, ...others.filter(isBroken)];
    return broken.flatMap((problem): readonly ObjectProblem[] => {
      const key = keyOf(problem.cause);
      if (seen.has(key)) return [];
      seen.add(key);
      const whole = withCause({ ...problem, subject }, planned);
      return [{ ...whole, ...solutionsOf(whole, planned, objects), evidence: [...message, ...shownEvidence(whole)] }];
    });
  });
}

/**
 * Where a resource has failed by its own word, something below it that is merely not done yet is no better reason; but a
 * deadline only says that it is late.
 */
export const isOwnWordBetter = ({ state, facts = [] }: Unready, { outlook }: WorkloadFact): boolean =>
  state === 'failed' && outlook === 'open' && facts[0]?.code !== 'progress-deadline-exceeded';

/** The same for a cause under several resources: of a container with its pod, of a claim whoever mounts it. */
function keyOf(fact: WorkloadFact): string {
  const { pod, container, code, chain } = fact;
  if ('claim' in fact) return `${code} ${fact.claim}`;
  const reason = 'reason' in fact ? fact.reason : '';
  return [pod ?? chain?.join(' '), container, code, reason].join(' ');
}

/** Where a Secret that the pod takes credentials from is not there, that is why the registry refuses the image. */
function withCause(problem: WorkloadProblem, planned: PlanObject | undefined): WorkloadProblem {
  const { cause } = problem;
  if (cause.code !== 'image-denied' && cause.code !== 'image-not-found-or-denied') return problem;
  // A ServiceAccount may name it, too: what the pod names elsewhere has nothing to do with images.
  const spec = planned && podSpecOf(planned.object);
  const isForImages = (one: Reference): boolean =>
    one.kind === 'Secret' &&
    one.key === undefined &&
    !(spec !== undefined && references(spec, one).some(([first]) => first !== 'imagePullSecrets'));
  const missing = cause.alsoMissing?.find(isForImages);
  if (missing?.name === undefined) return problem;
  const { outlook, chain, pod, image } = cause;
  const rest = cause.alsoMissing?.filter((one) => one !== missing) ?? [];
  return {
    ...problem,
    code: 'pull-secret-missing',
    cause: { outlook, chain, pod, code: 'pull-secret-missing', secret: missing.name, image },
    symptom: { ...cause, alsoMissing: rest.length === 0 ? undefined : rest },
  };
}

const maxFields = 3;

/** The fields to change, and the ways out. */
function solutionsOf(
  { cause, subject: { id } }: Pick<WorkloadProblem, 'cause' | 'subject'>,
  planned: PlanObject | undefined,
  objects: readonly PlanObject[],
): Pick<ObjectProblem, 'places' | 'remedies'> {
  const fields = planned === undefined ? [] : faultyFields(cause, planned, objects).slice(0, maxFields);
  const own = fields.filter(({ object }) => object === planned).map(({ path }) => path);
  const spec = planned && podSpecOf(planned.object);
  const names = namesInstead(cause, objects);
  const remedies = workloadRemedies(cause, { id, fields: own, keysOf: (one) => keysOf(one, spec) });
  return {
    places: fields.map(({ object, path }) => {
      const owner = object === planned ? id : idOf(object.object);
      return fieldPlace({ id: owner, template: object.source }, { path });
    }),
    // What the release has in its place need not be created.
    remedies: [
      ...names,
      ...remedies
        .filter(({ kind }) => kind !== 'create-object' || names.length === 0)
        .map((remedy) => withTurn(remedy, id, planned, objects)),
    ],
  };
}

/** What the release has, but applies after what needs it, is not to be created by hand: the next run would find it there. */
function withTurn(
  remedy: Remedy,
  neededBy: ResourceId,
  planned: PlanObject | undefined,
  objects: readonly PlanObject[],
): Remedy {
  if (remedy.kind !== 'create-object' || planned === undefined) return remedy;
  const { kind, name, namespace } = remedy.object;
  const later = objects
    .slice(objects.indexOf(planned) + 1)
    .map(({ object }) => object)
    .find(
      ({ kind: own, metadata }) => own === kind && metadata.name === name && isThere(metadata.namespace, namespace),
    );
  return later === undefined ? remedy : { kind: 'apply-earlier', object: idOf(later), neededBy };
}

/** What names no namespace is in that of the release, where its pods mostly are. */
const isThere = (own: string | undefined, wanted: string | undefined): boolean => own === undefined || own === wanted;

const shownEvents = 3;

/** As much of the evidence as fits on a screen, with the command that shows more. */
function shownEvidence({ cause, evidence, subject: { id } }: WorkloadProblem): readonly Evidence[] {
  const log = evidence.find(({ kind }) => kind === 'log');
  const lines = lastLines(log?.lines ?? []);
  const isLonger = log !== undefined && (lines.length < log.lines.length || isErrorResponse(cause));
  const isOfPod = cause.pod !== undefined && cause.container === undefined;
  const command = isLonger ? log.command : isOfPod ? `kubectl describe pod ${cause.pod} -n ${id.namespace}` : undefined;
  const events = evidence.filter(({ kind }) => kind === 'event').slice(-shownEvents);
  if (lines.length === 0 && command === undefined) return events;
  return [...events, { kind: 'log', lines, command }];
}

/** A program that answers its probe with an error knows the cause, and may write it later than it was waited for. */
const isErrorResponse = (cause: WorkloadFact): boolean =>
  cause.code === 'probe-failed' && (cause.probe.status ?? 0) >= 500;

/** Which keys of a ConfigMap or Secret the pods ask for one by one. */
function keysOf({ kind, name }: Reference, spec: unknown): readonly string[] {
  const parts = kind === 'Secret' ? ['secretKeyRef', 'secret'] : ['configMapKeyRef', 'configMap'];
  const keys = leavesOf(spec).flatMap((path: FieldPath) => {
    const at = path.findIndex((part) => parts.includes(String(part)));
    const holder = valueAtPath(spec, path.slice(0, at + 1)) as Readonly<Record<string, unknown>> | undefined;
    const isNamed = at >= 0 && [holder?.['name'], holder?.['secretName']].includes(name);
    return isNamed && path.at(-1) === 'key' ? String(valueAtPath(spec, path)) : [];
  });
  return [...new Set(keys)];
}
