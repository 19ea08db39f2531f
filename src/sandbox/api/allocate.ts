import { compact, type JsonObject, objectAt, objectsIn, textOf } from '../../support/json.ts';
import type { Resource } from '../resource.ts';
import type { Environment } from './environment.ts';
import { hash32 } from './ids.ts';

/** Gives a Service its addresses and node ports, as the API server does on creation. */
export function allocateService(environment: Environment, object: Resource): Resource {
  const spec = objectAt(object, 'spec') ?? {};
  const type = textOf(spec.type) ?? 'ClusterIP';
  if (type === 'ExternalName') return object;
  const clusterIP = textOf(spec.clusterIP) || freeAddress(environment, object);
  return {
    ...object,
    spec: {
      ...spec,
      clusterIP,
      clusterIPs: spec.clusterIPs ?? [clusterIP],
      ipFamilies: spec.ipFamilies ?? ['IPv4'],
      ipFamilyPolicy: spec.ipFamilyPolicy ?? 'SingleStack',
      ...(usesNodePorts(spec) ? { ports: withNodePorts(environment, object, spec) } : {}),
    },
  };
}

const usesNodePorts = (spec: JsonObject): boolean =>
  spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);

const services = ({ store }: Environment): Resource[] => store.list('/services');

/** An address of 10.96.0.0/16 that no Service has; the name decides where the search begins. */
function freeAddress(environment: Environment, object: Resource): string {
  const taken = new Set(services(environment).map((service) => objectAt(service, 'spec')?.clusterIP));
  let number = hash32(`${object.metadata.namespace}/${object.metadata.name}`) % 65_000;
  for (;;) {
    const address = `10.96.${(number >> 8) & 0xff}.${number & 0xff}`;
    if (number > 255 && !taken.has(address)) return address;
    number = (number + 1) % 65_000;
  }
}

function withNodePorts(environment: Environment, object: Resource, spec: JsonObject): JsonObject[] {
  const taken = new Set(
    services(environment).flatMap((service) =>
      objectsIn(objectAt(service, 'spec')?.ports).map((port) => port.nodePort),
    ),
  );
  let number = hash32(`${object.metadata.namespace}/${object.metadata.name}/port`) % 2768;
  return objectsIn(spec.ports).map((port) => {
    if (typeof port.nodePort === 'number' && port.nodePort !== 0) return port;
    while (taken.has(30_000 + number)) number = (number + 1) % 2768;
    taken.add(30_000 + number);
    return { ...port, nodePort: 30_000 + number };
  });
}

/** A changed Service keeps the addresses and node ports that the client does not name, where its type still has them. */
export function keepServiceAllocations(environment: Environment, before: Resource, after: Resource): Resource {
  const old = objectAt(before, 'spec') ?? {};
  const spec = objectAt(after, 'spec') ?? {};
  if (spec.type === 'ExternalName') {
    return { ...after, spec: compact({ ...spec, clusterIP: undefined, clusterIPs: undefined }) };
  }
  const ports = objectsIn(spec.ports).map((port) => {
    const same = objectsIn(old.ports).find(
      (other) => other.port === port.port && (other.protocol ?? 'TCP') === (port.protocol ?? 'TCP'),
    );
    return usesNodePorts(spec) && same?.nodePort !== undefined && port.nodePort === undefined
      ? { ...port, nodePort: same.nodePort }
      : port;
  });
  const clusterIP = textOf(spec.clusterIP) || textOf(old.clusterIP);
  const kept = compact({
    ...spec,
    clusterIP,
    clusterIPs: clusterIP === old.clusterIP ? (spec.clusterIPs ?? old.clusterIPs) : undefined,
    ports: ports.length === 0 ? undefined : ports,
  });
  return allocateService(environment, { ...after, spec: kept });
}
