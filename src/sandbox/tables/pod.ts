import { type JsonObject, numberOf, objectAt, objectsIn, plain, textOf } from '../../support/json.ts';
import type { Resource } from '../resource.ts';

/** What `kubectl get pods` says of a pod (printers' printPod): `1/2`, `CrashLoopBackOff`, 3. */
export function podStatus(pod: Resource): { ready: string; reason: string; restarts: number } {
  const status = objectAt(pod, 'status') ?? {};
  const containers = objectsIn(status.containerStatuses);
  const total = objectsIn(objectAt(pod, 'spec')?.containers).length;
  const ready = containers.filter((container) => container.ready === true).length;
  const restarts = containers.reduce((sum, container) => sum + (numberOf(container.restartCount) ?? 0), 0);
  return { ready: `${ready}/${total}`, reason: reasonOf(pod, status), restarts };
}

function reasonOf(pod: Resource, status: JsonObject): string {
  if (pod.metadata.deletionTimestamp !== undefined) return 'Terminating';
  const init = initReason(pod, objectsIn(status.initContainerStatuses));
  if (init !== undefined) return init;
  let reason = textOf(status.reason) ?? textOf(status.phase) ?? 'Unknown';
  for (const container of objectsIn(status.containerStatuses).reverse()) {
    const waiting = textOf(objectAt(container, 'state', 'waiting')?.reason);
    const terminated = objectAt(container, 'state', 'terminated');
    if (waiting !== undefined) reason = waiting;
    else if (terminated !== undefined) reason = textOf(terminated.reason) ?? `ExitCode:${plain(terminated.exitCode)}`;
  }
  return reason;
}

function initReason(pod: Resource, statuses: readonly JsonObject[]): string | undefined {
  const total = objectsIn(objectAt(pod, 'spec')?.initContainers).length;
  for (const [index, container] of statuses.entries()) {
    const terminated = objectAt(container, 'state', 'terminated');
    if (terminated !== undefined && terminated.exitCode === 0) continue;
    const waiting = textOf(objectAt(container, 'state', 'waiting')?.reason);
    if (terminated !== undefined)
      return `Init:${textOf(terminated.reason) ?? `ExitCode:${plain(terminated.exitCode)}`}`;
    if (waiting !== undefined && waiting !== 'PodInitializing') return `Init:${waiting}`;
    return `Init:${index}/${total}`;
  }
  return undefined;
}
