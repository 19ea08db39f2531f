import { objectAt, objectsIn } from '../../support/json.ts';
import { apiVersionOf, type Kind, storageKey } from '../kinds/kind.ts';
import type { Resource } from '../resource.ts';
import { notFound } from '../status.ts';
import type { Environment, ObjectPath } from './environment.ts';

/**
 * The object at the version of the kind. Conversion changes no more than the apiVersion, as `strategy: None` does;
 * of the built-in kinds only HorizontalPodAutoscaler has two versions.
 */
export function atVersion(kind: Kind, object: Resource): Resource {
  const apiVersion = apiVersionOf(kind);
  if (object.apiVersion === apiVersion) return object;
  const converted = { ...object, apiVersion };
  return kind.group === 'autoscaling' ? convertAutoscaler(converted) : converted;
}

/** v1 knows one metric, the use of the CPU; v2 has a list of them. */
function convertAutoscaler(object: Resource): Resource {
  const spec = objectAt(object, 'spec') ?? {};
  if (object.apiVersion === 'autoscaling/v2') {
    const { targetCPUUtilizationPercentage: percentage, ...rest } = spec;
    if (percentage === undefined) return object;
    const target = { type: 'Utilization', averageUtilization: percentage };
    return { ...object, spec: { ...rest, metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }] } };
  }
  const { metrics, behavior: _, ...rest } = spec;
  const cpu = objectsIn(metrics).find((metric) => objectAt(metric, 'resource')?.name === 'cpu');
  const percentage = objectAt(cpu, 'resource', 'target')?.averageUtilization;
  return { ...object, spec: percentage === undefined ? rest : { ...rest, targetCPUUtilizationPercentage: percentage } };
}

/** GET of one object; 404 where there is none. */
export function getObject({ store }: Environment, { kind, namespace, name }: ObjectPath): Resource {
  const object = store.get(storageKey(kind), kind.namespaced ? namespace : undefined, name);
  if (object === undefined) throw notFound(kind, name);
  return atVersion(kind, object);
}
