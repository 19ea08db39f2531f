import { quantityOf } from '../../go/quantity.ts';
import { listOf, numberOr, textOr } from '../../manifest/fields.ts';
import type { Container, Pod } from '../../manifest/kubernetes.ts';

/** The specification of a pod's container; undefined where it has none of that name. */
export const specOf = ({ spec }: Pod, name: string): Container | undefined =>
  [...listOf(spec?.initContainers), ...listOf(spec?.containers)].find((container) => container.name === name);

/** `memory limit 256Mi`; '' without one. */
export function memoryLimit(container: Container | undefined): string {
  const limit = textOr(container?.resources?.limits?.['memory'], '');
  return limit === '' ? '' : `memory limit ${limit}`;
}

type ProbeKind = 'liveness' | 'readiness' | 'startup';
type Probe = Container['livenessProbe'];

const probeOf = (container: Container | undefined, kind: ProbeKind): Probe => container?.[`${kind}Probe`];
const kindOfProbe = (text: string): ProbeKind | undefined =>
  /^(Liveness|Readiness|Startup) probe/.exec(text)?.[1]?.toLowerCase() as ProbeKind | undefined;

/** A probe's words with what it asked (`GET :8080/ready`, `command pg_isready`), where they do not name it. */
export function withAsked(text: string, container: Container | undefined): string {
  const kind = kindOfProbe(text);
  const asked = kind === undefined ? '' : askedBy(probeOf(container, kind), container);
  return asked === '' || /"https?:\/\/|dial tcp /.test(text) ? text : `${text} (${asked})`;
}

function askedBy(probe: Probe, container: Container | undefined): string {
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

/** When the probe that killed a container gave up: `initialDelaySeconds 5, failureThreshold 3, periodSeconds 3`. */
export function patienceOf(text: string, container: Container | undefined): string {
  const kind = kindOfProbe(text);
  const probe = kind && probeOf(container, kind);
  if (!probe) return '';
  const { initialDelaySeconds, failureThreshold, periodSeconds } = probe;
  // The API server's own defaults: they are in every pod that it has stored.
  const values = [numberOr(initialDelaySeconds, 0), numberOr(failureThreshold, 3), numberOr(periodSeconds, 10)];
  return `initialDelaySeconds ${values[0]}, failureThreshold ${values[1]}, periodSeconds ${values[2]}`;
}

/** What a pod asks for of the resources that nodes lack by the scheduler's words: `the pod requests cpu 12`. */
export function requestsFor(words: string, pod: Pod): string {
  const asked = lackingIn(words).flatMap((resource) => {
    const texts = requestsOf(pod, resource);
    return texts.length === 0 ? [] : `${resource} ${texts.join(' + ')}`;
  });
  if (asked.length > 0) return `the pod requests ${asked.join(', ')}`;
  const selector = Object.entries(pod.spec?.nodeSelector ?? {}).map(([key, value]) => `${key}=${textOr(value, '')}`);
  return /node affinity\/selector/.test(words) && selector.length > 0 ? `nodeSelector ${selector.join(', ')}` : '';
}

/** What each container of a pod requests of a resource, where it does. */
const requestsOf = (pod: Pod, resource: string): readonly string[] =>
  listOf(pod.spec?.containers).flatMap(({ resources }) => textOr(resources?.requests?.[resource], '') || []);

const lackingIn = (words: string): readonly string[] => [
  ...new Set([...words.matchAll(/Insufficient ([\w./-]*\w)/g)].map(([, resource = '']) => resource)),
];

interface Node {
  readonly status?: { readonly allocatable?: Readonly<Record<string, unknown>> | null } | null;
}

/**
 * What the largest node has of what the nodes lack by the scheduler's words: `the largest node has cpu 8`; and where that
 * would do for the pod, that others have taken it.
 */
export function largestNode(words: string, pod: Pod, nodes: readonly object[]): string {
  const largest = lackingIn(words).flatMap((resource) => {
    const [most] = (nodes as readonly Node[])
      .map(({ status }) => textOr(status?.allocatable?.[resource], ''))
      .filter((text) => quantityOf(text) !== undefined)
      .sort((a, b) => (quantityOf(b) ?? 0) - (quantityOf(a) ?? 0));
    if (most === undefined) return [];
    const asked = requestsOf(pod, resource).reduce((sum, text) => sum + (quantityOf(text) ?? 0), 0);
    const isTaken = asked > 0 && asked <= (quantityOf(most) ?? 0);
    return `${resource} ${most}${isTaken ? ', taken by other pods' : ''}`;
  });
  return largest.length === 0 ? '' : `the largest node has ${largest.join(', ')}`;
}

/** Why a container cannot write where its log says that the file system is read-only; '' where its log does not. */
export function readOnlyCause(log: readonly string[], container: Container | undefined): string {
  const line = log.findLast((one) => /read-only file system|EROFS/i.test(one));
  if (line === undefined || container === undefined) return '';
  const paths = line.match(/\/[\w./-]*\w/g) ?? [];
  const mounts = listOf(container.volumeMounts).filter(({ mountPath }) =>
    paths.some((path) => `${path}/`.startsWith(`${textOr(mountPath, '/')}/`)),
  );
  const [mount] = mounts.sort((a, b) => textOr(b.mountPath, '').length - textOr(a.mountPath, '').length);
  if (mount?.readOnly === true)
    return `its volume ${textOr(mount.name, '')} is mounted at ${textOr(mount.mountPath, '')} with readOnly: true`;
  if (mount === undefined && container.securityContext?.readOnlyRootFilesystem === true)
    return 'readOnlyRootFilesystem is true, and no volume is mounted there';
  return '';
}

/** Of the words of a failed pull: whether the tag, the registry or the credentials are at fault; '' where they do not tell. */
export function pullFault(words: string): string {
  if (/toomanyrequests|too many requests/i.test(words)) return 'the registry limits pulls';
  if (/no such host|connection refused|i\/o timeout|network is unreachable|x509|TLS handshake/i.test(words))
    return 'the registry cannot be reached';
  if (/repository does not exist or may require|insufficient_scope|pull access denied/i.test(words))
    return 'there is no such repository, or the credentials (imagePullSecrets) are missing';
  if (/unauthorized|authentication required|no basic auth|40[13] Forbidden|: 40[13]\b|denied/i.test(words))
    return 'the registry refuses the credentials (imagePullSecrets)';
  return /manifest unknown|: not found|no such manifest/i.test(words) ? 'no such tag or repository' : '';
}
