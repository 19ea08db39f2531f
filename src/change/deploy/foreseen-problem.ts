import { objectSubject, refusalProblems } from '../../execute/faults.ts';
import type { Preview } from '../../execute/preview/preview.ts';
import { idOf, kindAndName } from '../../manifest/resource-id.ts';
import type { Manifest } from '../../manifest/types.ts';
import type { ObjectProblem } from '../../problem/problem.ts';

/** What the API server would refuse of an object, and where the object comes from. */
export function foreseenProblems(
  { id, remedies, live, result, refusal }: RefusedPreview,
  manifests: readonly Manifest[],
): readonly ObjectProblem[] {
  // Namespaces may not be known yet.
  const manifest = manifests.find((one) => kindAndName(idOf(one.object)) === kindAndName(id));
  const subject = objectSubject(id, manifest?.source);
  return refusalProblems({ subject, object: result, refusal, ways: remedies, live });
}

export type RefusedPreview = Preview & { readonly refusal: NonNullable<Preview['refusal']> };
