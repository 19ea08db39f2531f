import type { Preview } from '../../execute/preview/preview.ts';
import { type ObjectSource, placeInChart } from '../../execute/sources.ts';
import type { Manifest, ResourceId } from '../../manifest/types.ts';

/** A refused object, and where it comes from. */
export function refusedSource(
  { id, problem = '', fields = [] }: Preview,
  manifests: readonly Manifest[],
): ObjectSource {
  const manifest = manifests.find((one) => nameOf(idOf(one)) === nameOf(id));
  return {
    id,
    ...placeInChart(manifest?.source ?? ''),
    problem: shortProblem(problem),
    ...(fields.length > 0 && { fields: fields.map((path) => ({ path })) }),
  };
}

/** Without the words that name the object once more. */
const shortProblem = (problem: string): string =>
  problem
    .replace(/^server-side apply failed for object \S+ \S+, Kind=\w+: /, '')
    .replace(/^failed to create typed patch object \([^)]*\): /, '')
    .replace(/^\S+ "[^"]*" is invalid: /, '');

/** By what objects of a release are compared whose namespaces are not known yet. */
export const nameOf = ({ kind, name }: ResourceId): string => `${kind}/${name}`;
export const idOf = ({ object: { apiVersion, kind, metadata } }: Manifest): ResourceId => ({
  apiVersion,
  kind,
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});
