import { canonicalJson, equalJson, type Json, type JsonObject, textMap } from '../../support/json.ts';
import { compareText } from '../../support/order.ts';
import { isFinished, type Pod, type Service } from '../kubernetes.ts';
import { objectKey, type Resource } from '../resource.ts';
import { type ControllerContext, conditionOf, controlledBy, controllerOfKind } from './context.ts';
import type { Controller } from './manager.ts';

export const slicesKey = 'discovery.k8s.io/endpointslices';

/** Writes the EndpointSlices of each Service that selects pods (k8s.io/endpointslice, reconciler.go). */
export function endpointSliceController(context: ControllerContext): Controller {
  return controllerOfKind<Service>(context, {
    name: 'endpoint-slice',
    kind: context.kind('v1', 'Service'),
    owned: [slicesKey],
    *also({ storageKey, object, previous }) {
      if (storageKey !== '/pods') return;
      for (const service of context.environment.store.values('/services', object.metadata.namespace))
        if (selects(service, object) || (previous !== undefined && selects(service, previous)))
          yield objectKey(service.metadata.namespace, service.metadata.name);
    },
    reconcile(service) {
      if (service.metadata.deletionTimestamp !== undefined || !isServed(service)) return;
      const left = new Map(context.controlled(slicesKey, service).map((slice) => [portsOf(slice), slice]));
      for (const wanted of wantedSlices(context, service)) {
        write(context, service, wanted, left.get(portsOf(wanted)));
        left.delete(portsOf(wanted));
      }
      for (const slice of left.values()) context.delete(sliceKind(context), slice);
    },
  });
}

const sliceKind = (context: ControllerContext) => context.kind('discovery.k8s.io/v1', 'EndpointSlice');

export const isServed = ({ spec }: Service): boolean =>
  spec?.type !== 'ExternalName' && Object.keys(spec?.selector ?? {}).length > 0;

export const selects = ({ spec }: Service, { metadata }: Resource): boolean =>
  Object.entries(textMap(spec?.selector)).every(([key, value]) => metadata.labels?.[key] === value);

/** What is the same of all endpoints of a slice. */
const portsOf = ({ ports }: JsonObject): string => canonicalJson(ports ?? null);

function write(context: ControllerContext, service: Service, wanted: JsonObject, slice: Resource | undefined): void {
  const { namespace, name } = service.metadata;
  const annotations = { 'endpoints.kubernetes.io/last-change-trigger-time': context.timestamp };
  const labels = labelsOf(service);
  if (slice === undefined) {
    const metadata = { generateName: `${name}-`, labels, annotations, ownerReferences: [controlledBy(service)] };
    context.create(sliceKind(context), namespace, {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata,
      addressType: 'IPv4',
      ...wanted,
    });
  } else if (!equalJson(slice.endpoints, wanted.endpoints) || !equalJson(slice.metadata.labels, labels))
    context.change(sliceKind(context), slice, {
      ...slice,
      ...wanted,
      metadata: { ...slice.metadata, labels, annotations },
    });
}

const labelsOf = ({ metadata, spec }: Service): Record<string, string> => ({
  ...metadata.labels,
  'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
  'kubernetes.io/service-name': metadata.name,
  ...(spec?.clusterIP === 'None' && { 'service.kubernetes.io/headless': '' }),
});

/** The endpoints by the ports that they serve; one slice without any where there are no pods. */
function wantedSlices(context: ControllerContext, service: Service): JsonObject[] {
  const pods: Pod[] = context.environment.store.list('/pods', service.metadata.namespace);
  const slices = new Map<string, { endpoints: Json[]; ports: Json[] }>();
  for (const pod of pods) {
    if (!selects(service, pod) || isFinished(pod) || pod.status?.podIP === undefined) continue;
    const ports = servedPorts(service, pod);
    const key = canonicalJson(ports);
    slices.set(key, { ports, endpoints: [...(slices.get(key)?.endpoints ?? []), endpointOf(service, pod)] });
  }
  return slices.size === 0 ? [{ endpoints: null, ports: null }] : [...slices.values()];
}

function endpointOf({ spec }: Service, pod: Pod): JsonObject {
  const serving = conditionOf(pod, 'Ready')?.status === 'True';
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const { name, namespace, uid } = pod.metadata;
  return {
    addresses: [pod.status?.podIP as string],
    conditions: { ready, serving, terminating },
    targetRef: { kind: 'Pod', namespace, name, uid },
    nodeName: pod.spec?.nodeName,
  };
}

/** The Service's ports as the pod has them; one that is named and that it lacks is left out. */
function servedPorts({ spec }: Service, pod: Pod): JsonObject[] {
  const all = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])].flatMap(({ ports = [] }) => ports);
  return (spec?.ports ?? [])
    .flatMap(({ name = '', protocol = 'TCP', port, targetPort = port, appProtocol }): JsonObject[] => {
      const target =
        typeof targetPort === 'string'
          ? all.find((one) => one.name === targetPort && (one.protocol ?? 'TCP') === protocol)?.containerPort
          : targetPort;
      return target === undefined ? [] : [{ name, protocol, port: target, ...(appProtocol && { appProtocol }) }];
    })
    .sort((a, b) => compareText(a.name as string, b.name as string));
}
