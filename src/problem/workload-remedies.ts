import type { FieldPath } from '../manifest/field-path.ts';
import type { ResourceId } from '../manifest/types.ts';
import type { Remedy } from './remedy.ts';
import type { Reference, WorkloadFact } from './workload-fact.ts';

/** Where a fact is so: the object, and those of its fields that have to be changed, the likely one first. */
export interface FactPlace {
  readonly id: ResourceId;
  readonly fields: readonly FieldPath[];
  /** The keys of a ConfigMap or Secret that the pods ask for one by one. */
  readonly keysOf: (reference: Reference) => readonly string[];
}

/** What mostly helps against a cause; none where the log or the events have to be read. */
export function workloadRemedies(fact: WorkloadFact, place: FactPlace): readonly Remedy[] {
  const others = fact.code === 'pull-secret-missing' ? [] : (fact.alsoMissing ?? []);
  return [...remediesOf(fact, place), ...others.flatMap((one) => creating(one, place))];
}

type Change = (how: 'raise' | 'lower' | 'add' | 'correct', ...last: readonly string[]) => readonly Remedy[];

/** Of the first field that has to be changed; `last` are names of such fields. */
const changeIn =
  ({ id, fields }: FactPlace): Change =>
  (how, ...last) =>
    fields
      .filter((path) => last.length === 0 || last.includes(String(path.at(-1))))
      .slice(0, 1)
      .map((path) => ({ kind: 'change-field', object: id, path, how }));

function remediesOf(fact: WorkloadFact, place: FactPlace): readonly Remedy[] {
  const { id } = place;
  const change = changeIn(place);
  switch (fact.code) {
    case 'image-not-found':
      return [...change('correct', 'image'), { kind: 'outside', what: 'push-image', name: fact.image }];
    case 'image-name-invalid':
      return change('correct', 'image');
    case 'image-not-on-node':
      return change('correct', 'imagePullPolicy');
    case 'image-denied':
    case 'image-not-found-or-denied':
      return change('correct', 'imagePullSecrets', 'image');
    case 'registry-unreachable':
    case 'registry-limit':
      return [{ kind: 'outside', what: 'check-registry', name: fact.image }];
    case 'pull-secret-missing':
      return [object(id, 'Secret', fact.secret, 'kubernetes.io/dockerconfigjson')];
    case 'out-of-memory':
      return [...change('raise'), { kind: 'outside', what: 'fix-program' }];
    case 'pods-exceed-quota':
      return [...change('lower'), { kind: 'outside', what: 'raise-quota', name: fact.quota }];
    case 'resources-unspecified':
      return change('add');
    case 'pod-unschedulable': {
      const [lack] = fact.lacking;
      if (lack !== undefined) return [...change('lower'), { kind: 'outside', what: 'add-node', name: lack.resource }];
      return change('correct');
    }
    case 'storage-class-missing':
      return [...change('correct'), { kind: 'outside', what: 'create-storage-class', name: fact.storageClass }];
    case 'killed-by-probe':
      return change('raise');
    case 'probe-failed':
      return (fact.probe.status ?? 0) >= 500 ? [{ kind: 'outside', what: 'read-log' }] : change('correct');
    case 'program-not-started':
    case 'root-refused':
    case 'no-pod-selected':
      return change('correct');
    case 'reference-missing':
      return creating(fact.missing, place);
    case 'claim-missing':
      return [object(id, 'PersistentVolumeClaim', fact.claim)];
    case 'service-account-missing':
      return [object(id, 'ServiceAccount', fact.name)];
    case 'priority-class-missing':
      return [object({ ...id, namespace: '' }, 'PriorityClass', fact.name)];
    default:
      return [];
  }
}

const object = ({ namespace }: ResourceId, kind: string, name: string, type?: string): Remedy => ({
  kind: 'create-object',
  object: { kind, name, namespace },
  ...(type !== undefined && { type }),
});

/** A key that is missing is not made up: its ConfigMap or Secret is there. */
function creating(reference: Reference, { id, keysOf }: FactPlace): readonly Remedy[] {
  const { kind, name, key } = reference;
  if (name === undefined || key !== undefined) return [];
  const keys = keysOf(reference);
  const made = { kind, name, namespace: id.namespace };
  return [{ kind: 'create-object', object: made, ...(keys.length > 0 && { keys }) }];
}
