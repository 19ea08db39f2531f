import { itemsOf } from '../manifest/items.ts';
import type { KubernetesObject, Manifest } from '../manifest/types.ts';
import { manifestsOfStep } from '../plan/arrange.ts';
import type { Plan } from '../plan/types.ts';

/** An object of a plan, and the template that made it: `shop/templates/web.yaml`, '' where that is not known. */
export interface PlanObject {
  readonly object: KubernetesObject;
  readonly source: string;
}

/** All objects of a plan but those of `crds/`, hooks too, Lists taken apart. */
export const objectsIn = ({ steps }: Plan): readonly PlanObject[] =>
  steps
    .filter(({ kind }) => kind !== 'install-crds')
    .flatMap(manifestsOfStep)
    .flatMap(({ object, source }) => itemsOf(object).map((item) => ({ object: item, source })));

/** The manifests that a plan sends, those of its hooks and its CRDs too. */
export const manifestsSentBy = ({ steps }: Plan): readonly Manifest[] =>
  steps.filter(({ kind }) => kind !== 'delete').flatMap(manifestsOfStep);

export const objectsSentBy = (plan: Plan): readonly KubernetesObject[] =>
  manifestsSentBy(plan).map(({ object }) => object);
