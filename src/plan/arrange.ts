import { parseManifest } from '../manifest/parse.ts';
import type { Hook, Manifest } from '../manifest/types.ts';
import type { Plan, Step, Unit, WaitStrategy } from './types.ts';

/** All resources of a release as one unit of one batch: everything at once, as Helm does it. */
export const plainUnit = (name: string, manifests: readonly Manifest[], strategy: WaitStrategy): Unit => ({
  name,
  batches: [{ nodes: [{ kind: 'resources', name, manifests, because: [] }], wait: strategy !== 'hookOnly' }],
});

/** Every resource of a unit and of the units inside it, in the order of its batches. */
export const manifestsOf = (unit: Unit): readonly Manifest[] =>
  unit.batches.flatMap((batch) =>
    batch.nodes.flatMap((node) => (node.kind === 'resources' ? node.manifests : manifestsOf(node.unit))),
  );

/** What a step sends or deletes: CRDs, hooks, the resources of a unit. */
export function manifestsOfStep(step: Step): readonly Manifest[] {
  switch (step.kind) {
    case 'install-crds':
      return step.manifests;
    case 'run-hooks':
      return step.batches.flat(2).map(manifestOfHook);
    case 'apply':
    case 'delete':
      return manifestsOf(step.unit);
    default:
      return [];
  }
}

/** The same of all steps of one kind. */
export const manifestsOfSteps = ({ steps }: Pick<Plan, 'steps'>, kind: Step['kind']): readonly Manifest[] =>
  steps.filter((step) => step.kind === kind).flatMap(manifestsOfStep);

export const manifestOfHook = ({ manifest, path }: Hook): Manifest => parseManifest(manifest, path);

/** Whether all of a unit runs together, the units inside it too: then its resources are in Helm's order of kinds. */
export const isOneBatch = ({ batches }: Unit): boolean =>
  batches.length <= 1 &&
  batches.every(({ nodes }) => nodes.every((node) => node.kind === 'resources' || isOneBatch(node.unit)));
