import { objectSubject, refusalProblem } from '../../execute/faults.ts';
import type { Preview } from '../../execute/preview/preview.ts';
import type { Manifest, ResourceId } from '../../manifest/types.ts';
import type { ObjectProblem } from '../../problem/problem.ts';

/** What the API server would refuse of an object, and where the object comes from. */
export function foreseenProblem(
  { id, problem: message = '', wayOut, fields = [], result, refusal }: RefusedPreview,
  manifests: readonly Manifest[],
): ObjectProblem {
  const manifest = manifests.find((one) => nameOf(idOf(one)) === nameOf(id));
  const subject = objectSubject(id, manifest?.source);
  return refusalProblem({ subject, object: result, refusal, fields, message, wayOut });
}

export type RefusedPreview = Preview & { readonly refusal: NonNullable<Preview['refusal']> };

/** By what objects of a release are compared whose namespaces are not known yet. */
export const nameOf = ({ kind, name }: ResourceId): string => `${kind}/${name}`;
export const idOf = ({ object: { apiVersion, kind, metadata } }: Manifest): ResourceId => ({
  apiVersion,
  kind,
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});
