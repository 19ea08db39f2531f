import { isDigits } from '../../support/text.ts';
import type { Container, Pod } from '../kubernetes.ts';
import type { ControllerContext } from './context.ts';
import type { Hindrances } from './pod-stages.ts';
import { containerFailure, type Find, mountFailures } from './references.ts';

/** What the kubelet finds wrong with a pod before its containers run. What runs is not looked at again. */
export function hindrancesOf(context: ControllerContext, pod: Pod, find: Find): Hindrances {
  const { containers = [], initContainers = [], imagePullSecrets = [] } = pod.spec ?? {};
  const probes = named(containers, probeFailure);
  if (hasStarted(pod)) return { mounts: [], pullSecrets: [], containers: new Map(), probes };
  const failureOf = (container: Container): string | undefined => containerFailure(pod, container, find);
  const pullSecrets = imagePullSecrets.map(({ name = '' }) => name);
  return {
    pullSecrets: pullSecrets.filter((name) => find({ kind: 'Secret', name }) === undefined),
    mounts: mountFailures(context, pod, find),
    containers: named([...initContainers, ...containers], failureOf),
    probes,
  };
}

function hasStarted({ status }: Pod): boolean {
  const { containerStatuses = [] } = status ?? {};
  const isUp = containerStatuses.every(
    ({ state, restartCount = 0 }) => state?.waiting === undefined || restartCount > 0,
  );
  return isUp && containerStatuses.length > 0;
}

function named(
  containers: readonly Container[],
  textOf: (container: Container) => string | undefined,
): ReadonlyMap<string, string> {
  return new Map(
    containers.flatMap((container) => {
      const text = textOf(container);
      return text === undefined ? [] : [[container.name ?? '', text]];
    }),
  );
}

/** A probe that names a port which its container does not have: prober.go, ResolveContainerPort. */
function probeFailure({ ports = [], readinessProbe, startupProbe }: Container): string | undefined {
  for (const [kind, probe] of [
    ['Startup', startupProbe],
    ['Readiness', readinessProbe],
  ] as const) {
    const port: unknown = probe?.httpGet?.port ?? probe?.tcpSocket?.port;
    if (typeof port !== 'string' || isDigits(port) || ports.some(({ name }) => name === port)) continue;
    return `${kind} probe errored and resulted in unknown state: strconv.Atoi: parsing ${JSON.stringify(port)}: invalid syntax`;
  }
  return undefined;
}
