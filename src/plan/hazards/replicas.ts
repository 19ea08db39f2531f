import { textOr } from '../../manifest/fields.ts';
import type { Deployment, HorizontalPodAutoscaler } from '../../manifest/kubernetes.ts';
import { idOf, objectKey, titleOf } from '../../manifest/resource-id.ts';
import type { Hazard, HazardInput } from './hazard.ts';

/** Workloads that say how many replicas they have while a HorizontalPodAutoscaler of the release decides that. */
export function replicaHazards({ objects, namespace }: HazardInput): readonly Hazard[] {
  const scalers = objects.filter(({ object }) => object.kind === 'HorizontalPodAutoscaler');
  if (scalers.length === 0) return [];
  const byKey = new Map(objects.map((placed) => [objectKey(idOf(placed.object, namespace)), placed]));
  return scalers.flatMap(({ object: scaler }): readonly Hazard[] => {
    const target = byKey.get(targetKey(scaler, namespace));
    const replicas = target && replicasOf(target.object);
    if (target === undefined || replicas === undefined || replicas === null) return [];
    const resource = titleOf(target.object);
    const message = `${resource} sets spec.replicas (${JSON.stringify(replicas)}), and ${titleOf(scaler)} scales it: each upgrade resets the number or fails with a conflict over .spec.replicas; leave out spec.replicas when autoscaling is on`;
    return [{ kind: 'replicas-of-autoscaler', source: target.source, resource, message }];
  });
}

/** Whatever a chart says there. */
const replicasOf = ({ spec }: Deployment): unknown => spec?.replicas;

function targetKey({ metadata, spec }: HorizontalPodAutoscaler, namespace: string): string {
  const target = spec?.scaleTargetRef;
  return objectKey({
    apiVersion: textOr(target?.apiVersion, ''),
    kind: textOr(target?.kind, ''),
    namespace: metadata.namespace || namespace,
    name: textOr(target?.name, ''),
  });
}
