import { isBroken, type WorkloadProblem } from '../cluster/diagnosis.ts';
import type { Unready } from '../cluster/observe.ts';
import { type FieldPath, valueAtPath } from '../manifest/field-path.ts';
import { idOf } from '../manifest/resource-id.ts';
import { lastLines } from '../problem/foreign/program-log.ts';
import { Quote } from '../problem/quote.ts';
import type { Reference, WorkloadFact } from '../problem/workload-fact.ts';
import { workloadRemedies } from '../problem/workload-remedies.ts';
import { quoted } from '../words/quote.ts';
import { factText } from '../words/workload.ts';
import { workloadRemedyText } from '../words/workload-remedy.ts';
import { type FaultField, type ObjectFault, placeInChart } from './faults.ts';
import { faultyFields, leavesOf, type ObjectField, podSpecOf, references } from './faulty-fields.ts';
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
export function waitFaults(
  described: readonly (Described & { readonly said: string })[],
  objects: readonly PlanObject[],
): readonly ObjectFault[] {
  const seen = new Set<string>();
  return described.flatMap(({ one, found, said }) => {
    const planned = objects.find(({ object }) => object.kind === one.id.kind && object.metadata.name === one.id.name);
    const origin = { id: one.id, ...placeInChart(planned?.source ?? ''), said };
    const [first, ...others] = found;
    if (first === undefined || (one.state === 'failed' && !isBroken(first)))
      return [{ ...origin, problem: one.reason }];
    const { noProgressMs } = one.facts?.[0] ?? {};
    const broken = [noProgressMs === undefined ? first : withTime(first, noProgressMs), ...others.filter(isBroken)];
    return broken.flatMap((problem): readonly ObjectFault[] => {
      const key = keyOf(problem.cause);
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ ...origin, ...faultOf(withCause(problem, planned), planned, objects) }];
    });
  });
}

const withTime = (problem: WorkloadProblem, noProgressMs: number): WorkloadProblem => ({
  ...problem,
  cause: { ...problem.cause, noProgressMs },
});

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
const shownEvents = 3;

/** A problem with the fields to change, the ways out and as much of its evidence as fits on a screen. */
function faultOf(
  { cause, symptom, evidence, subject }: WorkloadProblem,
  planned: PlanObject | undefined,
  objects: readonly PlanObject[],
): Pick<ObjectFault, 'problem' | 'symptom' | 'fields' | 'fixes' | 'log' | 'facts' | 'command'> {
  const id = subject.kind === 'object' ? subject.id : undefined;
  const fields = planned === undefined ? [] : faultyFields(cause, planned, objects).slice(0, maxFields);
  const names = namesInstead(cause, objects);
  const own = fields.filter(({ object }) => object === planned).map(({ path }) => path);
  const spec = planned && podSpecOf(planned.object);
  const remedies =
    id === undefined ? [] : workloadRemedies(cause, { id, fields: own, keysOf: (one) => keysOf(one, spec) });
  const isInstead = remedies.filter(({ kind }) => kind !== 'create-object' || names.length === 0);
  const log = evidence.find(({ kind }) => kind === 'log');
  const lines = lastLines(log?.lines ?? []);
  const isLonger = log !== undefined && (lines.length < log.lines.length || isAnswer(cause));
  const events = evidence.filter(({ kind }) => kind === 'event').slice(-shownEvents);
  const describe = cause.pod !== undefined && cause.container === undefined && id !== undefined;
  return {
    problem: factText(cause),
    symptom: symptom && factText(symptom),
    fields: fields.map((field) => faultField(field, planned)),
    fixes: [...names, ...isInstead].map((remedy) => workloadRemedyText(remedy as never)),
    log: lines.map(quoted),
    facts: events.map(({ reason, lines: [line], count = 1 }) => {
      const times = count > 1 ? ` (x${count})` : '';
      return `${reason}: ${quoted(line ?? new Quote(''))}${times}`;
    }),
    command: isLonger ? log.command : describe ? `kubectl describe pod ${cause.pod} -n ${id.namespace}` : undefined,
  };
}

/** A program that answers its probe with an error knows the cause, and may write it later than it was waited for. */
const isAnswer = (cause: WorkloadFact): boolean => cause.code === 'probe-failed' && (cause.probe.status ?? 0) >= 500;

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

/** The field as a fault has it: the object that has it is named where it is another one. */
function faultField({ object, path }: ObjectField, planned: PlanObject | undefined): FaultField {
  if (object.object === planned?.object) return { path };
  return { path, of: { id: idOf(object.object), ...placeInChart(object.source) } };
}
