import { listOf, textOr } from '../manifest/fields.ts';
import type { Service } from '../manifest/kubernetes.ts';
import { idOf } from '../manifest/resource-id.ts';
import type { Remedy } from '../problem/remedy.ts';
import type { WorkloadFact } from '../problem/workload-fact.ts';
import { isAlike } from '../support/near.ts';
import { workloadText } from '../words/workload.ts';
import { fieldPlace } from './faults.ts';
import { nearService, podLabels, serviceOf } from './near-names.ts';
import type { PlanObject } from './plan-objects.ts';
import type { SuspectedCause } from './suspected-cause.ts';

/** Connections inside the release that lead nowhere, by a hair: named where a wait has failed, as none fails by itself. */
export const danglingReferences = (objects: readonly PlanObject[]): readonly SuspectedCause[] =>
  objects.flatMap((one) => {
    if (one.object.kind === 'Service') return selectorOf(one, objects);
    return one.object.kind === 'Ingress' ? backendsOf(one, objects) : [];
  });

/** A selector that no pods of the release have, although some differ from it in one value. */
function selectorOf(service: PlanObject, objects: readonly PlanObject[]): readonly SuspectedCause[] {
  const selector = Object.entries((service.object as Service).spec?.selector ?? {});
  const workloads = objects.flatMap(({ object }) => {
    const labels = podLabels(object);
    return labels === undefined
      ? []
      : [{ object, wrong: selector.filter(([key, value]) => labels[key] !== value), labels }];
  });
  if (selector.length === 0 || workloads.some(({ wrong }) => wrong.length === 0)) return [];
  return workloads
    .filter(({ wrong, labels }) => wrong.every(([key, value]) => isAlike(textOr(labels[key], ''), textOr(value, ''))))
    .slice(0, 1)
    .map(({ object, wrong: [wrong], labels }) => {
      const [key, value] = wrong as [string, unknown];
      const has = textOr(labels[key], '');
      const workload = `${object.kind}/${object.metadata.name}`;
      const names = { service: service.object.metadata.name, workload, key, value: textOr(value, ''), has };
      const fact: WorkloadFact = { outlook: 'open', code: 'selector-matches-nothing', ...names };
      const path = ['spec', 'selector', key];
      const id = idOf(service.object);
      return suspectedCause(fact, service, { path, remedy: { kind: 'change-field', object: id, path, value: has } });
    });
}

function suspectedCause(
  cause: WorkloadFact,
  { object, source }: PlanObject,
  { path, remedy }: { readonly path: readonly string[]; readonly remedy: Remedy },
): SuspectedCause {
  return {
    cause,
    note: `${workloadText(cause)}${source === '' ? '' : ` (${source})`}`,
    remedies: [remedy],
    places: [fieldPlace({ id: idOf(object), template: source }, { path })],
    explains: ({ subject }) =>
      subject.kind === 'object' && subject.id.kind === object.kind && subject.id.name === object.metadata.name,
  };
}

interface IngressBackend {
  readonly service?: {
    readonly name?: unknown;
    readonly port?: { readonly number?: unknown; readonly name?: unknown };
  };
}

interface Ingress {
  readonly spec?: {
    readonly defaultBackend?: IngressBackend;
    readonly rules?: readonly {
      readonly http?: { readonly paths?: readonly { readonly backend?: IngressBackend }[] };
    }[];
  };
}

/** A backend whose Service is not in the release, although one is much like it; or a port that its Service does not have. */
function backendsOf(ingress: PlanObject, objects: readonly PlanObject[]): readonly SuspectedCause[] {
  const { spec } = ingress.object as Ingress;
  const paths = listOf(spec?.rules).flatMap(({ http }) => listOf(http?.paths));
  const backends = [spec?.defaultBackend, ...paths.map(({ backend }) => backend)].flatMap((one) => one?.service ?? []);
  const facts = backends.flatMap(({ name, port }): readonly WorkloadFact[] => {
    const common = { outlook: 'open', ingress: ingress.object.metadata.name, service: textOr(name, '') } as const;
    const service = serviceOf(common.service, objects);
    if (service === undefined) {
      const near = nearService(common.service, objects);
      return near === undefined ? [] : [{ ...common, code: 'backend-missing', near }];
    }
    const ports = listOf(service.spec?.ports);
    const wanted = typeof port?.number === 'number' ? String(port.number) : textOr(port?.name, '');
    if (wanted === '' || ports.some((one) => String(one.port) === wanted || one.name === wanted)) return [];
    const has = ports.map((one) => [one.port, one.name].filter((text) => text !== undefined).join(' '));
    return [{ ...common, code: 'backend-port-missing', port: wanted, ports: has }];
  });
  const path = ['spec'];
  const ends = facts.map((fact) => {
    const remedy: Remedy =
      fact.code === 'backend-missing'
        ? { kind: 'use-name', name: fact.near, instead: fact.service }
        : { kind: 'change-field', object: idOf(ingress.object), path, how: 'correct' };
    return suspectedCause(fact, ingress, { path, remedy });
  });
  return ends.filter((end, index) => ends.findIndex(({ note }) => note === end.note) === index);
}
