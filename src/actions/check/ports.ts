import type { Target } from '../../execute/apply/targets.ts';
import { fieldPlace, objectSubject } from '../../execute/faults.ts';
import { podSpecPath } from '../../execute/faulty-fields.ts';
import type { FieldPath } from '../../manifest/field-path.ts';
import { Reader } from '../../manifest/references.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { type Problem, problemOf } from '../../problem/problem.ts';
import type { ReleaseFact } from '../../problem/release-fact.ts';
import type { Remedy } from '../../problem/remedy.ts';
import { nearest } from '../../support/near.ts';
import { isDigits } from '../../support/text.ts';

interface PortFault {
  readonly fact: ReleaseFact;
  readonly path: FieldPath;
  readonly port: string;
  readonly known: readonly string[];
}

/** Ports that an Ingress asks of a Service of the release, or a probe of its container, and that are not there. */
export const portProblems = (objects: readonly Target[]): readonly Problem[] =>
  objects.flatMap((target) =>
    [...backendFaults(target, objects), ...probeFaults(target.object)].map((fault) => portProblem(target, fault)),
  );

function portProblem({ id, source }: Target, { fact, path, port, known }: PortFault): Problem {
  const subject = objectSubject(id, source);
  const meant = nearest(port, known);
  const remedies: readonly Remedy[] =
    meant === undefined ? [] : [{ kind: 'use-name', name: meant, instead: port, isGuess: true }];
  return problemOf({ subject, cause: fact, places: [fieldPlace(subject, { path })], remedies });
}

function backendFaults({ id, object }: Target, objects: readonly Target[]): readonly PortFault[] {
  if (id.kind !== 'Ingress') return [];
  const ingress = new Reader(object);
  const paths = ingress.items(['spec', 'rules']).flatMap((rule) => ingress.items([...rule, 'http', 'paths']));
  const backends = [['spec', 'defaultBackend'], ...paths.map((path) => [...path, 'backend'])];
  return backends.flatMap((backend): PortFault[] => {
    const path = [...backend, 'service'];
    const service = ingress.text([...path, 'name']);
    const isMeant = (one: ResourceId): boolean =>
      one.kind === 'Service' && one.name === service && one.namespace === id.namespace;
    const found = objects.find((one) => isMeant(one.id));
    const field = ['name', 'number'].map((key) => [...path, 'port', key]).find((one) => ingress.text(one) !== '');
    if (found === undefined || field === undefined) return [];
    const reader = new Reader(found.object);
    const key = field.at(-1) === 'name' ? 'name' : 'port';
    const known = reader.items(['spec', 'ports']).map((one) => reader.text([...one, key]));
    const port = ingress.text(field);
    if (known.includes(port) || reader.text(['spec', 'type']) === 'ExternalName') return [];
    const ports = known.filter((one) => one !== '');
    return [{ fact: { code: 'service-port-missing', service, port, ports }, path: field, port, known: ports }];
  });
}

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((probe) =>
  ['httpGet', 'tcpSocket'].map((action) => [probe, action, 'port']),
);

/** A port by its name is one of the same container. */
function probeFaults(object: KubernetesObject): readonly PortFault[] {
  const reader = new Reader(object);
  const containers = ['initContainers', 'containers'].flatMap((list) => reader.items([...podSpecPath(object), list]));
  return containers.flatMap((container) => {
    const ports = reader.items([...container, 'ports']).map((one) => reader.text([...one, 'name']));
    const known = ports.filter((name) => name !== '');
    return probes.flatMap((probe): PortFault[] => {
      const path = [...container, ...probe];
      const port = reader.text(path);
      if (port === '' || isDigits(port) || known.includes(port)) return [];
      return [{ fact: { code: 'probe-port-missing', port, names: known }, path, port, known }];
    });
  });
}
