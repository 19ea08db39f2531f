import { complaintOf, evidenceOf, type Finding, isBroken, problemText } from '../cluster/diagnosis.ts';
import type { Unready } from '../cluster/observe.ts';
import { type FaultField, type ObjectFault, placeInChart } from './faults.ts';
import { faultyFields, type ObjectField } from './faulty-fields.ts';
import { mountedInstead } from './mounted-files.ts';
import { namedWords } from './named-words.ts';
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
): readonly ObjectFault[] {
  const told = new Set<string>();
  return described.flatMap(({ one, found, said }) => {
    const planned = objects.find(({ object }) => object.kind === one.id.kind && object.metadata.name === one.id.name);
    const origin = { id: one.id, ...placeInChart(planned?.source ?? ''), said };
    const patience = / \(no progress for [^)]*\)$/.exec(one.reason)?.[0];
    const [first, ...others] = found;
    if (first === undefined || (one.state === 'failed' && !isBroken(first)))
      return [{ ...origin, problem: mask(one.reason) }];
    return [first, ...others.filter(isBroken)].flatMap((finding, index) => {
      const key = causeKey(finding);
      if (told.has(key)) return [];
      told.add(key);
      const { facts, fixes } = hintsOf(finding);
      const words = [...finding.log, ...finding.previousLog];
      const mounted = planned === undefined ? [] : mountedInstead(words, planned, objects);
      const seen = [mask(problemText(finding, index === 0 ? patience : undefined)), ...facts].join('; ');
      const secret = missingCredentials.exec(seen)?.[1];
      const problem = secret === undefined ? seen : `${secret} does not exist: ${seen}`;
      return [{ ...origin, problem, ...explanationOf(finding, planned, objects), fixes: [...mounted, ...fixes] }];
    });
  });
}

/** The Secret that a pod takes credentials from and that is not there: why the registry refuses it. */
const missingCredentials = /imagePullSecrets\)[^]*also missing: [^;]*?(Secret\/[\w.-]*\w)/;

/** The same for a cause under several resources: of a container with its pod, of a claim whoever mounts it. */
function causeKey({ chain, reason }: Finding): string {
  const last = chain.at(-1) ?? '';
  const isShared = last.startsWith('PersistentVolumeClaim/');
  return [isShared ? '' : chain.find((part) => part.startsWith('Pod/')), last, reason].join(' ');
}

/** What was found to explain it belongs to the cause; what the release has instead is a way out. */
function hintsOf(finding: Finding): { readonly facts: readonly string[]; readonly fixes: readonly string[] } {
  const hints = finding.hint?.split('; ') ?? [];
  const isFix = (hint: string): boolean => /did you mean it\?$|^the release has | has the keys? /.test(hint);
  return {
    facts: hints.filter((hint) => !isFix(hint)),
    fixes: [...hints.filter(isFix), ...remediesFor(finding)],
  };
}

type Explanation = Pick<ObjectFault, 'fields' | 'log' | 'facts' | 'command'>;

function explanationOf(finding: Finding, planned: PlanObject | undefined, objects: readonly PlanObject[]): Explanation {
  const { log, command, events } = evidenceOf(finding);
  const words = [...finding.log, ...finding.previousLog];
  const fields =
    planned === undefined
      ? []
      : [
          ...namedWords(words, complaintOf(finding) ?? '', planned, objects),
          ...faultyFields(finding, planned, objects),
        ];
  return {
    fields: fields.slice(0, maxFields).map((field) => faultField(field, planned)),
    log,
    command,
    facts: events,
  };
}

/** The field as a fault tells it: the object that has it is named where it is another one. */
function faultField({ object, path, word }: ObjectField, planned: PlanObject | undefined): FaultField {
  if (object.object === planned?.object) return { path, word };
  const { apiVersion, kind, metadata } = object.object;
  const id = { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name };
  return { path, word, of: { id, ...placeInChart(object.source) } };
}
