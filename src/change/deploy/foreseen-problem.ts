import { objectSubject, refusalProblems } from '../../execute/faults.ts';
import type { Preview } from '../../execute/preview/preview.ts';
import { idOf } from '../../manifest/resource-id.ts';
import type { Manifest, ResourceId } from '../../manifest/types.ts';
import type { ObjectProblem } from '../../problem/problem.ts';

/** What the API server would refuse of an object, and where the object comes from. */
export function foreseenProblems(
  { id, remedies, live, result, refusal }: RefusedPreview,
  manifests: readonly Manifest[],
): readonly ObjectProblem[] {
  const manifest = manifests.find((one) => nameOf(idOf(one.object)) === nameOf(id));
  const subject = objectSubject(id, manifest?.source);
  return refusalProblems({ subject, object: result, refusal, ways: remedies, live });
}

export type RefusedPreview = Preview & { readonly refusal: NonNullable<Preview['refusal']> };

/** By what objects of a release are compared whose namespaces are not known yet. */
export const nameOf = ({ kind, name }: ResourceId): string => `${kind}/${name}`;
