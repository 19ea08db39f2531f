import { hostIn } from '../../support/host-in-text.ts';
import { objectAt, objectsIn, textMap } from '../../support/json.ts';
import type { Container, Job, Pod, Service } from '../kubernetes.ts';
import type { HostState } from './attempt.ts';
import { type ControllerContext, conditionOf } from './context.ts';
import { isServed, selects, slicesKey } from './endpoint-slice.ts';
import { sandboxAnnotation } from './fate.ts';
import { environmentReferences, type Reference, volumeReferences } from './references.ts';

/**
 * Whether the Services answer that a pod names in its environment, commands, arguments and mounted files, and whether the
 * Jobs that its containers wait for are complete.
 */
export function hostsOf(context: ControllerContext, pod: Pod): HostState {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const without = sandboxAnnotation(context, pod, 'does-without')?.split(',');
  // Of those that name each other none can be first.
  const isCalled = (service: Service): boolean =>
    without === undefined ? !leadsTo(context, service, pod) : !without.includes(service.metadata.name);
  const areDown = (texts: readonly Text[]): boolean =>
    servicesIn(context, pod, texts).some((one) => !isAnswering(context, one) && isCalled(one));
  if (areDown(containerTexts(context, pod, initContainers))) return 'awaited';
  const texts = [...containerTexts(context, pod, containers), ...fileTexts(context, pod)];
  return areDown(texts) || isBeforeJob(context, pod) ? 'missing' : 'ready';
}

/** One that is gone has been complete. */
function isBeforeJob(context: ControllerContext, pod: Pod): boolean {
  const names = sandboxAnnotation(context, pod, 'after-jobs')?.split(',') ?? [];
  return names.some((name) => {
    const job = context.find<Job>('batch/jobs', `${pod.metadata.namespace}/${name}`);
    return job !== undefined && conditionOf(job, 'Complete')?.status !== 'True';
  });
}

interface Text {
  readonly key: string;
  readonly value: string;
}

function containerTexts(context: ControllerContext, pod: Pod, containers: readonly Container[]): readonly Text[] {
  return containers.flatMap((container) => {
    const { env = [], command = [], args = [] } = container;
    return [
      ...env.flatMap(({ name = '', value }) => (value === undefined ? [] : [{ key: name, value }])),
      ...[...command, ...args].map((value) => ({ key: '', value })),
      ...environmentReferences(container).flatMap((one) => dataTexts(context, pod, one)),
    ];
  });
}

const fileTexts = (context: ControllerContext, pod: Pod): readonly Text[] =>
  (pod.spec?.volumes ?? []).flatMap(volumeReferences).flatMap((one) => dataTexts(context, pod, one));

function dataTexts({ environment }: ControllerContext, { metadata }: Pod, { kind, name, key }: Reference): Text[] {
  const object = environment.store.get(`/${kind.toLowerCase()}s`, metadata.namespace, name);
  return Object.entries(textMap(object?.data))
    .filter(([each]) => key === undefined || each === key)
    .map(([each, text]) => ({
      key: each,
      value: kind === 'Secret' ? Buffer.from(text, 'base64').toString() : text,
    }));
}

/** The Services that texts of a pod name, without those that it answers for itself. */
function servicesIn({ environment }: ControllerContext, pod: Pod, texts: readonly Text[]): readonly Service[] {
  const { namespace = '' } = pod.metadata;
  const services: readonly Service[] = environment.store.list('/services', namespace);
  return services.filter(
    (service) =>
      isServed(service) &&
      !selects(service, pod) &&
      texts.some((text) => hostIn(text, { name: service.metadata.name, namespace }) !== undefined),
  );
}

/** By the readiness of its pods, also where their addresses are published before. */
const isAnswering = (context: ControllerContext, service: Service): boolean =>
  context
    .controlled(slicesKey, service)
    .flatMap(({ endpoints }) => objectsIn(endpoints))
    .some(({ conditions }) => objectAt({ conditions }, 'conditions')?.serving === true);

/** Whether the pods behind a Service name one of this pod, or others that do. */
function leadsTo(context: ControllerContext, service: Service, pod: Pod): boolean {
  const pods: readonly Pod[] = context.environment.store.list('/pods', pod.metadata.namespace);
  const found = new Set([service]);
  for (const each of found)
    for (const other of pods.filter((one) => selects(each, one))) {
      const { containers = [], initContainers = [] } = other.spec ?? {};
      const texts = [
        ...containerTexts(context, other, [...initContainers, ...containers]),
        ...fileTexts(context, other),
      ];
      for (const named of servicesIn(context, other, texts)) found.add(named);
    }
  return [...found].some((one) => selects(one, pod));
}
