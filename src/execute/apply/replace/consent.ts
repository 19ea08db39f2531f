import { annotations } from '../../../manifest/annotations.ts';
import { formatId, isNamedAmong } from '../../../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../../../manifest/types.ts';
import { isProtected } from '../../../plan/keep.ts';
import { TshelmError } from '../../../support/errors.ts';
import { printableLine } from '../../../support/printable.ts';
import { isImmutableChoice, type OnImmutable, ownRule, type ReplaceRules } from '../../replace-rules.ts';
import { holdsData, isBuiltIn } from '../holds-data.ts';
import { type Owner, otherOwner } from '../ownership.ts';

export interface Consent {
  /** `always`: also where a change in place would be accepted. */
  readonly when: 'always' | 'if-needed';
  /** `orphan`: what the object owns stays, and its successor takes over what its selector chooses. */
  readonly how: 'delete' | 'orphan';
}

interface Asked {
  readonly id: ResourceId;
  /** As it is to be. */
  readonly object: KubernetesObject;
  readonly live: KubernetesObject;
  readonly owner: Owner;
}

/**
 * Whether an object may be deleted and created again; undefined where nobody has agreed to that. An object that is named is
 * replaced in any case, as with Terraform's `-replace`, whatever its annotation says. Of the others, the rule for the object
 * or its kind goes first, then `fail` for all, then the annotation, then the rule for all. Objects that the chart keeps,
 * and custom resources, whose operator may delete data with them, need a word of their own; data needs its name and
 * `allowDataLoss`. A Namespace would take the release's record along. Errors: `ownership-conflict` for an object that is
 * named and has come to belong to another release.
 */
export function consentFor({ id, object, live, owner }: Asked, rules: ReplaceRules): Consent | undefined {
  const isNamed = isNamedAmong(id, rules.named);
  if (id.kind === 'Namespace') return undefined;
  const other = rules.takesOwnership ? undefined : otherOwner(live, owner);
  if (other !== undefined && isNamed) throw foreign(id, other);
  if (other !== undefined) return undefined;
  if (holdsData(id.kind) && !(isNamed && rules.allowDataLoss)) return undefined;
  const wish = wishFor({ id, object, live }, rules);
  const how = id.kind === 'StatefulSet' || wish?.choice === 'orphan' ? 'orphan' : 'delete';
  if (isNamed) return { when: rules.isUndoing ? 'if-needed' : 'always', how };
  if (wish === undefined || wish.choice === 'fail' || (isProtected(live) && !wish.isOwn)) return undefined;
  return isBuiltIn(id) || wish.isOwn ? { when: 'if-needed', how } : undefined;
}

/** Whether somebody has agreed that any of these objects is deleted and created again. */
export const mayReplaceAny = (objects: readonly KubernetesObject[], { named, onImmutable }: ReplaceRules): boolean =>
  named.length > 0 ||
  Object.values(onImmutable).some(agrees) ||
  objects.some((object) => agrees(annotatedChoice(object)));

const agrees = (choice: OnImmutable | undefined): boolean => choice === 'replace' || choice === 'orphan';

function foreign(id: ResourceId, owner: Owner): TshelmError {
  const message = `${formatId(id)} belongs to release ${printableLine(`${owner.release} in ${owner.namespace}`)}, so it is not replaced`;
  return new TshelmError('ownership-conflict', { message, details: { ...owner, conflicts: [message] } });
}

/** `isOwn`: it speaks of the object or of its kind. */
interface Wish {
  readonly choice: OnImmutable;
  readonly isOwn: boolean;
}

function wishFor({ id, object, live }: Pick<Asked, 'id' | 'object' | 'live'>, rules: ReplaceRules): Wish | undefined {
  const own = ownRule(id, rules);
  if (own !== undefined) return { choice: own, isOwn: true };
  const { '*': all } = rules.onImmutable;
  if (all === 'fail') return { choice: all, isOwn: false };
  // A revision before the annotation is rolled back to as the live object says.
  const annotated = annotatedChoice(object) ?? annotatedChoice(live);
  if (annotated !== undefined) return { choice: annotated, isOwn: true };
  return all && { choice: all, isOwn: false };
}

function annotatedChoice({ metadata }: KubernetesObject): OnImmutable | undefined {
  const text = metadata.annotations?.[annotations.onImmutable];
  return isImmutableChoice(text) ? text : undefined;
}
