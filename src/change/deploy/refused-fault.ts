import { withoutWayOut } from '../../execute/apply/way-out.ts';
import { type ObjectFault, placeInChart, withTwice, wordedRefusal } from '../../execute/faults.ts';
import type { Preview } from '../../execute/preview/preview.ts';
import { withNames } from '../../execute/unfit-names.ts';
import type { Manifest, ResourceId } from '../../manifest/types.ts';

/** A refused object, and where it comes from. */
export function refusedFault(
  { id, problem: said = '', wayOut, fields = [], result }: Preview,
  manifests: readonly Manifest[],
): ObjectFault {
  const manifest = manifests.find((one) => nameOf(idOf(one)) === nameOf(id));
  const problem = withoutWayOut(said, wayOut);
  const worded = wordedRefusal(problem, result, fields);
  return {
    id,
    ...placeInChart(manifest?.source ?? ''),
    problem: worded.problem,
    fixes: [...(wayOut === undefined ? [] : [wayOut]), ...worded.fixes],
    ...(fields.length > 0 && { fields: withTwice(withNames(fields, problem, result), problem) }),
  };
}

/** By what objects of a release are compared whose namespaces are not known yet. */
export const nameOf = ({ kind, name }: ResourceId): string => `${kind}/${name}`;
export const idOf = ({ object: { apiVersion, kind, metadata } }: Manifest): ResourceId => ({
  apiVersion,
  kind,
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});
