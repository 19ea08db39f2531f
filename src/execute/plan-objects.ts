import { itemsOf } from '../manifest/items.ts';
import { parseManifest } from '../manifest/parse.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { manifestsOf } from '../plan/arrange.ts';
import type { Plan } from '../plan/types.ts';

/** An object of a plan, and the template that made it: `shop/templates/web.yaml`, '' where that is not known. */
export interface PlanObject {
  readonly object: KubernetesObject;
  readonly source: string;
}

/** All objects of a plan, hooks too, Lists taken apart. */
export const objectsIn = ({ steps }: Plan): readonly PlanObject[] =>
  steps.flatMap((step) => {
    if (step.kind === 'apply' || step.kind === 'delete') return manifestsOf(step.unit).flatMap(partsOf);
    if (step.kind !== 'run-hooks') return [];
    return step.batches.flat(2).flatMap((hook) => partsOf(parseManifest(hook.manifest, hook.path)));
  });

/** The objects that a plan sends, those of its hooks and its CRDs too. */
export const objectsSentBy = (plan: Plan): readonly KubernetesObject[] =>
  plan.steps.flatMap((step): readonly KubernetesObject[] => {
    switch (step.kind) {
      case 'install-crds':
        return step.manifests.map(({ object }) => object);
      case 'apply':
        return manifestsOf(step.unit).map(({ object }) => object);
      case 'run-hooks':
        return step.batches.flat(2).map(({ manifest, path }) => parseManifest(manifest, path).object);
      default:
        return [];
    }
  });

const partsOf = ({ object, source }: PlanObject): readonly PlanObject[] =>
  itemsOf(object).map((item) => ({ object: item, source }));
