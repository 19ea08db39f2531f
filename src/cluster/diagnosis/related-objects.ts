import { textOr } from '../../manifest/fields.ts';
import type { KubernetesEvent, Pod } from '../../manifest/kubernetes.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { claimsOf } from './pod-events.ts';

/** Objects that tell of others, found by whom they belong to. */
export class RelatedObjects {
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #byOwner = new Map<string, Set<string>>();

  /**
   * Takes a change, and tells the uids of all that it concerns: its owners, their owners, and so on; news of a claim
   * concern the pods that mount it.
   */
  change(object: KubernetesObject, isGone: boolean): ReadonlySet<string> {
    const uid = uidOf(object);
    if (isGone) this.#objects.delete(uid);
    else this.#objects.set(uid, object);
    for (const owner of ownersOf(object)) {
      const owned = this.#byOwner.get(owner) ?? new Set();
      if (isGone) owned.delete(uid);
      else owned.add(uid);
      this.#byOwner.set(owner, owned);
    }
    const concerned = new Set<string>();
    for (const one of [object, ...this.#claimants(object)]) this.#concerned(one, concerned);
    return concerned;
  }

  #concerned(object: KubernetesObject, found: Set<string>): ReadonlySet<string> {
    found.add(uidOf(object));
    for (const owner of ownersOf(object)) {
      if (found.has(owner)) continue;
      found.add(owner);
      const above = this.#objects.get(owner);
      if (above !== undefined) this.#concerned(above, found);
    }
    return found;
  }

  #claimants({ kind, involvedObject }: KubernetesEvent): readonly Pod[] {
    if (kind !== 'Event' || involvedObject?.kind !== 'PersistentVolumeClaim') return [];
    return this.ofKind('Pod').filter((pod) => claimsOf(pod).includes(textOr(involvedObject.name, '')));
  }

  of(owner: KubernetesObject): readonly KubernetesObject[] {
    return [...(this.#byOwner.get(uidOf(owner)) ?? [])].flatMap((uid) => this.#objects.get(uid) ?? []);
  }

  ofKind(kind: string): readonly KubernetesObject[] {
    return [...this.#objects.values()].filter((object) => object.kind === kind);
  }
}

const uidOf = ({ kind, metadata }: KubernetesObject): string => metadata.uid ?? `${kind}/${metadata.name}`;

/** An event belongs to what it speaks of. */
function ownersOf(object: KubernetesEvent): string[] {
  if (object.kind === 'Event') return [textOr(object.involvedObject?.uid, '')];
  return (object.metadata.ownerReferences ?? []).map(({ uid }) => uid);
}
