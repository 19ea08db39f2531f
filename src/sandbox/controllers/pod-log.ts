import { objectAt, objectsIn, plain } from '../../support/json.ts';
import type { Resource } from '../resource.ts';
import { badRequest, notFound } from '../status.ts';
import type { ControllerContext } from './context.ts';
import { sandboxAnnotation } from './fate.ts';

/** The log of a container: what the `log` annotation says; without it, lines of its start and its end. */
export function podLog(context: ControllerContext, namespace: string, name: string, query: URLSearchParams): string {
  const pod = context.environment.store.get('/pods', namespace, name);
  if (pod === undefined) throw notFound({ group: '', plural: 'pods', kind: 'Pod' }, name);
  const container = chosenContainer(pod, query.get('container'));
  const status = [...statusesOf(pod, 'containerStatuses'), ...statusesOf(pod, 'initContainerStatuses')].find(
    (each) => each.name === container,
  );
  const isPrevious = query.get('previous') === 'true';
  if (isPrevious && objectAt(status, 'lastState', 'terminated') === undefined) {
    throw badRequest(`previous terminated container "${container}" in pod "${name}" not found`);
  }
  const waiting = objectAt(status, 'state', 'waiting');
  if (status === undefined || (waiting !== undefined && objectAt(status, 'lastState', 'terminated') === undefined)) {
    const reason =
      waiting?.reason === 'ContainerCreating' || waiting === undefined ? 'ContainerCreating' : plain(waiting.reason);
    const hint =
      waiting?.message === undefined
        ? `container "${container}" in pod "${name}" is waiting to start: ${reason}`
        : `container "${container}" in pod "${name}" is waiting to start: ${pullWords[reason] ?? reason}`;
    throw badRequest(hint);
  }
  const end = objectAt(status, 'state', 'terminated') ?? objectAt(status, 'lastState', 'terminated');
  const ending = end === undefined ? [] : [`sandbox: container ${container} exited with code ${plain(end.exitCode)}`];
  const started = `sandbox: container ${container} of pod ${name} started`;
  const lines = sandboxAnnotation(context, pod, 'log')?.split('\n') ?? [started, ...ending];
  return tail(lines, query.get('tailLines'));
}

/** The words for an image that cannot be pulled. */
const pullWords: Readonly<Record<string, string>> = {
  ErrImagePull: "image can't be pulled",
  ImagePullBackOff: 'trying and failing to pull image',
};

const statusesOf = (pod: Resource, field: string): ReturnType<typeof objectsIn> =>
  objectsIn(objectAt(pod, 'status')?.[field]);

function chosenContainer(pod: Resource, asked: string | null): string {
  const { name } = pod.metadata;
  const spec = objectAt(pod, 'spec') ?? {};
  const names = objectsIn(spec.containers).map((container) => plain(container.name));
  const all = [...names, ...objectsIn(spec.initContainers).map((container) => plain(container.name))];
  if (asked === null || asked === '') {
    const chosen = pod.metadata.annotations?.['kubectl.kubernetes.io/default-container'];
    if (chosen !== undefined) return chosen;
    if (names.length === 1) return names[0] as string;
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
  }
  if (!all.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${name}`);
  return asked;
}

function tail(lines: readonly string[], count: string | null): string {
  const shown = count === null || count === '' ? lines : lines.slice(Math.max(0, lines.length - Number(count)));
  return shown.length === 0 ? '' : `${shown.join('\n')}\n`;
}
