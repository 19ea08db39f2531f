import { objectAt, objectsIn, plain } from '../../support/json.ts';
import type { Resource } from '../resource.ts';
import { badRequest, notFound } from '../status.ts';
import type { ControllerContext } from './context.ts';
import { sandboxAnnotation } from './fate.ts';

/** A container's log as it is now. */
export interface ContainerLog {
  readonly text: string;
  /** More may be written: the container runs. */
  readonly isOpen: boolean;
  /** How often the container had been started before. */
  readonly restarts: number;
}

/** The log of a container: what the `log` annotation says; without it, lines of its start and its end. */
export function podLog(
  context: ControllerContext,
  namespace: string,
  name: string,
  query: URLSearchParams,
): ContainerLog {
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
  const running = objectAt(status, 'state', 'running');
  const end = objectAt(status, 'state', 'terminated') ?? objectAt(status, 'lastState', 'terminated');
  const startedAt = plain((running ?? end)?.startedAt);
  const annotation = sandboxAnnotation(context, pod, 'log');
  const texts = annotation?.split('\n') ?? [`sandbox: container ${container} of pod ${name} started`];
  const ending = `sandbox: container ${container} exited with code ${plain(end?.exitCode)}`;
  const lines = texts.map((text, index) => ({ time: timeOf(startedAt, index), text }));
  if (end !== undefined && annotation === undefined)
    lines.push({ time: timeOf(plain(end.finishedAt), 0), text: ending });
  return {
    text: shownLines(lines, query),
    isOpen: running !== undefined && !isPrevious,
    restarts: Number(status.restartCount ?? 0),
  };
}

interface TimedLine {
  readonly time: string;
  readonly text: string;
}

/** With nanoseconds, as container runtimes write it; a line comes a microsecond after the one before. */
const timeOf = (at: string, index: number): string => at.replace('Z', `.${String(index * 1000).padStart(9, '0')}Z`);

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

/** The lines that the query asks for. Times are compared in whole seconds, as the kubelet does. */
function shownLines(lines: readonly TimedLine[], query: URLSearchParams): string {
  const since = Math.trunc(Date.parse(query.get('sinceTime') ?? '') / 1000);
  const recent = Number.isNaN(since) ? lines : lines.filter(({ time }) => Date.parse(time) / 1000 >= since);
  const count = query.get('tailLines');
  const shown = count === null || count === '' ? recent : recent.slice(Math.max(0, recent.length - Number(count)));
  const hasTimes = query.get('timestamps') === 'true';
  return shown.map(({ time, text }) => `${hasTimes ? `${time} ` : ''}${text}\n`).join('');
}
