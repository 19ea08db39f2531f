import { evidenceOf, type Finding, isBroken, problemText } from '../cluster/diagnosis.ts';
import type { Unready } from '../cluster/observe.ts';
import type { ResourceId } from '../manifest/types.ts';
import type { FieldPlace } from '../problem/place.ts';
import { type ObjectProblem, problemOf } from '../problem/problem.ts';
import { Quote } from '../problem/quote.ts';
import type { WorkloadFact } from '../problem/workload-fact.ts';
import { evidenceOf as evidence, fieldPlace, objectSubject, sentences } from './faults.ts';
import { faultyFields, type ObjectField, podSpecOf } from './faulty-fields.ts';
import { servicesMeant, unknownHosts } from './near-names.ts';
import type { PlanObject } from './plan-objects.ts';
import { remediesFor } from './remedies.ts';

/** A resource that a wait ended without, and what was found about it, the likely cause first. */
export interface Described {
  readonly one: Unready;
  readonly found: readonly Finding[];
}

const maxFields = 3;

/**
 * What is wrong, as a list: each broken thing of each resource, and of a resource that nothing is broken of, what it still
 * lacks. The same cause under two resources (a Deployment and its Service) is one fault. `mask` takes secrets out.
 */
export function waitFaults(
  described: readonly (Described & { readonly said: string })[],
  objects: readonly PlanObject[],
  mask: (text: string) => string,
): readonly ObjectProblem[] {
  const told = new Set<string>();
  return described.flatMap(({ one, found, said }) => {
    const planned = objects.find(({ object }) => object.kind === one.id.kind && object.metadata.name === one.id.name);
    const subject = objectSubject(one.id, planned?.source);
    const message = evidence('message', said === '' ? [] : [said]);
    const patience = / \(no progress for [^)]*\)$/.exec(one.reason)?.[0];
    const [first, ...others] = found;
    if (first === undefined || (one.state === 'failed' && !isBroken(first)))
      return [problemOf({ subject, cause: inWords(mask(one.reason)), evidence: message })];
    return [first, ...others.filter(isBroken)].flatMap((finding, index): readonly ObjectProblem[] => {
      const key = causeKey(finding);
      if (told.has(key)) return [];
      told.add(key);
      const { facts, fixes } = hintsOf(finding, planned);
      const text = mask(problemText(finding, index === 0 ? patience : undefined));
      const seen = [text, ...awaitedHost(finding), ...facts].join('; ');
      const { places, evidence: found } = explanationOf(finding, planned, objects, subject.id);
      return [
        problemOf({
          subject,
          ...causeIn(seen, planned),
          places,
          remedies: sentences(fixes),
          evidence: [...message, ...found],
        }),
      ];
    });
  });
}

/** Where a Secret that the pod takes credentials from is not there, that is why the registry refuses the image. */
function causeIn(seen: string, planned: PlanObject | undefined): Pick<ObjectProblem, 'cause' | 'symptom'> {
  const [told, list = ''] = /; also missing: (.*?)(?=; | \(no progress|$)/.exec(seen) ?? [];
  // A ServiceAccount may name it, too: what the pod names elsewhere has nothing to do with images.
  const others = JSON.stringify({ ...(planned && podSpecOf(planned.object)), imagePullSecrets: [] });
  const secrets = list.split(', ').filter((one) => one.startsWith('Secret/'));
  const missing = secrets.find((one) => !others.includes(`"${one.slice('Secret/'.length)}"`));
  if (told === undefined || missing === undefined || !seen.includes('imagePullSecrets)'))
    return { cause: inWords(seen) };
  const image = /image "([^"]+)"/.exec(seen)?.[1] ?? 'the image';
  return {
    cause: inWords(`${missing} does not exist, so the registry refuses ${image}`),
    symptom: inWords(seen.replace(told, '')),
  };
}

/** The same for a cause under several resources: of a container with its pod, of a claim whoever mounts it. */
function causeKey({ chain, reason }: Finding): string {
  const last = chain.at(-1) ?? '';
  const isShared = last.startsWith('PersistentVolumeClaim/');
  return [isShared ? '' : chain.find((part) => part.startsWith('Pod/')), last, reason].join(' ');
}

/** What was found to explain it belongs to the cause; what the release has instead is a way out. */
function hintsOf(
  finding: Finding,
  planned: PlanObject | undefined,
): { readonly facts: readonly string[]; readonly fixes: readonly string[] } {
  const hints = finding.hint?.split('; ') ?? [];
  const isFix = (hint: string): boolean =>
    /did you mean it\?$|^the release has | has the keys? |^the cluster's DNS /.test(hint);
  return {
    facts: hints.filter((hint) => !isFix(hint)),
    fixes: [...hints.filter(isFix), ...remediesFor(finding, planned && podSpecOf(planned.object))],
  };
}

/** Of a program that waits for a host instead of ending: which, where the release has another Service in its place. */
const awaitedHost = ({ exitCode, hint = '', log }: Finding): readonly string[] =>
  unknownHosts(exitCode === undefined ? log : [])
    .filter((host) => hint.includes(`no Service ${host}, `))
    .map((host) => `it looks for the host ${host}, and the release has no Service of that name`);

type Explanation = Pick<ObjectProblem, 'places' | 'evidence'>;

function explanationOf(
  finding: Finding,
  planned: PlanObject | undefined,
  objects: readonly PlanObject[],
  id: ResourceId,
): Explanation {
  const { log, command, events } = evidenceOf(finding);
  const words = [...finding.log, ...finding.previousLog];
  const fields =
    planned === undefined
      ? []
      : [
          ...unknownHosts(words)
            .flatMap((host) => servicesMeant(host, objects))
            .map((object) => ({ object, path: ['metadata', 'name'] })),
          ...faultyFields(finding, planned, objects),
        ];
  return {
    places: fields
      .slice(0, maxFields)
      .map((field) => placeOf(field, field.object.object === planned?.object ? id : undefined)),
    evidence: [
      ...(log.length > 0 || command !== undefined
        ? [{ kind: 'log' as const, lines: log.map((line) => new Quote(line)), command }]
        : []),
      ...evidence('event', events),
    ],
  };
}

/** `own`: the object that was waited for, where it has the field. */
function placeOf({ object: { object, source }, path }: ObjectField, own: ResourceId | undefined): FieldPlace {
  const { apiVersion, kind, metadata } = object;
  const id = own ?? { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name };
  return fieldPlace({ id, template: source }, { path });
}

/** What is a sentence still. */
const inWords = (text: string): WorkloadFact => ({ code: 'not-ready', reason: '', words: new Quote(text) });
