import { objectKey } from '../../manifest/resource-id.ts';
import { textAt, valueAt } from '../../support/fields.ts';
import { type Hazard, type HazardInput, namespacedKey, titleOf } from './hazard.ts';

/** Workloads that say how many replicas they have while a HorizontalPodAutoscaler of the release decides that. */
export function replicaHazards({ objects, namespace }: HazardInput): readonly Hazard[] {
  const scalers = objects.filter(({ object }) => object.kind === 'HorizontalPodAutoscaler');
  if (scalers.length === 0) return [];
  const byKey = new Map(objects.map((placed) => [namespacedKey(placed.object, namespace), placed]));
  return scalers.flatMap(({ object: scaler }): readonly Hazard[] => {
    const target = byKey.get(targetKey(scaler, namespace));
    const replicas = valueAt(target?.object, 'spec', 'replicas');
    if (target === undefined || replicas === undefined || replicas === null) return [];
    const resource = titleOf(target.object);
    const message = `${resource} sets spec.replicas (${JSON.stringify(replicas)}), and ${titleOf(scaler)} scales it: each upgrade sets the number back, or fails with a conflict over .spec.replicas; leave spec.replicas out where autoscaling is on`;
    return [{ kind: 'replicas-of-autoscaler', source: target.source, resource, message }];
  });
}

function targetKey(scaler: HazardInput['objects'][number]['object'], namespace: string): string {
  const target = (field: string): string => textAt(scaler, '', 'spec', 'scaleTargetRef', field);
  return objectKey({
    apiVersion: target('apiVersion'),
    kind: target('kind'),
    namespace: scaler.metadata.namespace || namespace,
    name: target('name'),
  });
}
