import type { Target } from '../../execute/apply/targets.ts';
import { fieldPlace, objectSubject } from '../../execute/faults.ts';
import { podSpecPath } from '../../execute/faulty-fields.ts';
import { type FieldPath, valueAtPath } from '../../manifest/field-path.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
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
  const spec: FieldPath = ['spec'];
  const backends = [
    [...spec, 'defaultBackend', 'service'],
    ...items(object, [...spec, 'rules']).flatMap((rule) =>
      items(object, [...rule, 'http', 'paths']).map((path) => [...path, 'backend', 'service']),
    ),
  ];
  return backends.flatMap((path): PortFault[] => {
    const service = text(object, [...path, 'name']);
    const found = objects.find(
      (one) => one.id.kind === 'Service' && one.id.name === service && one.id.namespace === id.namespace,
    );
    const field = ['name', 'number'].map((key) => [...path, 'port', key]).find((one) => text(object, one) !== '');
    if (found === undefined || field === undefined || text(found.object, ['spec', 'type']) === 'ExternalName')
      return [];
    const ports = items(found.object, ['spec', 'ports']);
    const known = (key: string): readonly string[] => ports.map((one) => text(found.object, [...one, key]));
    const port = text(object, field);
    const fitting = known(field.at(-1) === 'name' ? 'name' : 'port');
    if (fitting.includes(port)) return [];
    const all = fitting.filter((one) => one !== '');
    return [{ fact: { code: 'service-port-missing', service, port, ports: all }, path: field, port, known: all }];
  });
}

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'];

/** A port by its name is one of the same container. */
function probeFaults(object: KubernetesObject): readonly PortFault[] {
  const spec = podSpecPath(object);
  const containers = ['initContainers', 'containers'].flatMap((list) => items(object, [...spec, list]));
  return containers.flatMap((container) => {
    const names = items(object, [...container, 'ports']).map((one) => text(object, [...one, 'name']));
    const known = names.filter((name) => name !== '');
    const fields = probes.flatMap((probe) =>
      ['httpGet', 'tcpSocket'].map((action) => [...container, probe, action, 'port']),
    );
    return fields.flatMap((path): PortFault[] => {
      const port = text(object, path);
      if (port === '' || isDigits(port) || known.includes(port)) return [];
      return [{ fact: { code: 'probe-port-missing', port, names: known }, path, port, known }];
    });
  });
}

function text(object: KubernetesObject, path: FieldPath): string {
  const value = valueAtPath(object, path);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** The ways to the items of a list. */
function items(object: KubernetesObject, path: FieldPath): readonly FieldPath[] {
  const list = valueAtPath(object, path);
  return Array.isArray(list) ? list.map((_item, index) => [...path, index]) : [];
}
