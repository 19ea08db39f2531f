import { listOf, numberOr, textOr } from '../../manifest/fields.ts';
import type { Container, KubernetesEvent } from '../../manifest/kubernetes.ts';
import { probeFailureIn } from '../../problem/foreign/kubelet.ts';
import { Quote } from '../../problem/quote.ts';
import type { Patience, ProbeFailure, ProbeKind } from '../../problem/workload-fact.ts';
import { concernsContainer, eventCount, latestOf } from './pod-events.ts';

interface Probed {
  readonly container: string;
  readonly spec: Container | undefined;
}

/** What the container's probe said last and what it asked, and how often one failed; undefined where none has. */
export function latestProbe(events: readonly KubernetesEvent[], probed: Probed) {
  const failures = failuresOf(events, probed);
  const latest = latestOf(failures);
  const probe = latest && failureIn(latest, probed.spec);
  return probe && { probe, failures: failures.reduce((sum, event) => sum + eventCount(event), 0) };
}

/** One failed probe is the way of a program that starts. */
export const failuresToCount = 2;

/** What made the kubelet kill a container: a readiness probe never does. */
export function killingProbe(events: readonly KubernetesEvent[], probed: Probed): ProbeFailure | undefined {
  const isKilling = (event: KubernetesEvent): boolean => failureIn(event, probed.spec)?.kind !== 'readiness';
  const found = latestProbe(events.filter(isKilling), probed);
  return found === undefined || found.failures < failuresToCount ? undefined : found.probe;
}

const failuresOf = (events: readonly KubernetesEvent[], { container }: Probed): readonly KubernetesEvent[] =>
  events.filter((event) => textOr(event.reason, '') === 'Unhealthy' && concernsContainer(event, container));

function failureIn(event: KubernetesEvent, spec: Container | undefined): ProbeFailure | undefined {
  const found = probeFailureIn(new Quote(textOr(event.message, '')));
  if (found === undefined) return undefined;
  const { namesTarget, ...failure } = found;
  const probe = spec?.[`${failure.kind}Probe`];
  // Behind an exec probe's result is what its command wrote: that is no answer of the kubelet.
  if (probe?.exec)
    return {
      kind: failure.kind,
      answer: 'other',
      words: failure.words,
      asked: new Quote(probeRequestText(probe, spec)),
    };
  const asked = namesTarget ? '' : probeRequestText(probe, spec);
  return asked === '' ? failure : { ...failure, asked: new Quote(asked) };
}

/** What a probe asks: `GET :8080/ready`, `command: pg_isready`. */
function probeRequestText(probe: Container['livenessProbe'], container: Container | undefined): string {
  const { httpGet, tcpSocket, exec, grpc } = probe ?? {};
  if (httpGet) return `GET :${portText(httpGet.port, container)}${textOr(httpGet.path, '/')}`;
  if (tcpSocket) return `TCP port ${portText(tcpSocket.port, container)}`;
  if (grpc) return `gRPC port ${portText(grpc.port, container)}`;
  return Array.isArray(exec?.command) ? `command: ${exec.command.join(' ')}` : '';
}

/** The number of a port that is named. */
function portText(port: unknown, container: Container | undefined): string {
  if (typeof port === 'number') return String(port);
  const named = listOf(container?.ports).find(({ name }) => name === port);
  return String(named?.containerPort ?? textOr(port, '?'));
}

/** When the kubelet gives up on a probe. The API server's own defaults are in every pod that it has stored. */
export function patienceOf(kind: ProbeKind, spec: Container | undefined): Patience | undefined {
  const probe = spec?.[`${kind}Probe`];
  if (!probe) return undefined;
  return {
    initialDelaySeconds: numberOr(probe.initialDelaySeconds, 0),
    failureThreshold: numberOr(probe.failureThreshold, 3),
    periodSeconds: numberOr(probe.periodSeconds, 10),
  };
}
