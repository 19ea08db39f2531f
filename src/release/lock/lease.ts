import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import type { MoveRecord } from '../types.ts';
import type { Holder } from './holder.ts';

export type Operation = 'install' | 'upgrade' | 'rollback' | 'uninstall' | 'fix' | 'test' | MoveRecord['kind'];

/** Seconds that a Lease lives after its last heartbeat, and how often that beats. */
export const leaseSeconds = 15;
/** What another wrote may say years: nobody waits for a heartbeat so long. */
const maxLeaseSeconds = 60;
export const heartbeatSeconds = 5;

/** What a release's Lease says. Where its holder has no identity, nobody holds it. */
export interface LeaseState {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly holder: Holder;
  readonly operation: string;
  /** By the holder's clock, as all times that are its own. */
  readonly acquireTime: string;
  readonly renewTime: string;
  readonly seconds: number;
}

const apiVersion = 'coordination.k8s.io/v1';
const kind = 'Lease';
const keys = {
  release: 'tshelm.dev/release',
  operation: 'tshelm.dev/operation',
  job: 'tshelm.dev/job',
  process: 'tshelm.dev/process',
} as const;

/** No release has a dot-separated `tshelm` before its name, so nobody's own Lease is meant. */
export const leaseId = (release: string, namespace: string): ResourceId => ({
  apiVersion,
  kind,
  namespace,
  name: `tshelm.${release}`,
});

/** The release that a Lease of {@link leaseId} is for. */
export const releaseOfLease = ({ metadata }: KubernetesObject): string => metadata.labels?.[keys.release] ?? '';

/** The Lease of one operation, as it is created. */
export function newLease(
  { release, namespace }: { readonly release: string; readonly namespace: string },
  operation: Operation,
  holder: Holder,
  now: Date,
): KubernetesObject {
  const { name } = leaseId(release, namespace);
  const time = microTime(now);
  const annotations = {
    [keys.operation]: operation,
    ...(holder.job !== undefined && { [keys.job]: holder.job }),
    ...(holder.process !== undefined && { [keys.process]: holder.process }),
  };
  const labels = { 'app.kubernetes.io/managed-by': 'tshelm', [keys.release]: release };
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, labels, annotations },
    spec: {
      holderIdentity: holder.identity,
      leaseDurationSeconds: leaseSeconds,
      acquireTime: time,
      renewTime: time,
    },
  };
}

/**
 * The same Lease after a heartbeat. With uid and resource version only what was read last is replaced. Others see by the
 * change that the holder lives, so the time is another one even where the clock is set back or stops.
 */
export function renewedLease(lease: KubernetesObject, now: Date): KubernetesObject {
  const spec = lease['spec'] as { readonly renewTime?: string };
  const time = microTime(now);
  const renewTime = time === spec.renewTime ? microTime(new Date(now.getTime() + 1)) : time;
  return { ...lease, spec: { ...spec, renewTime } };
}

/** The same Lease, held by nobody. */
export function freedLease({ metadata, ...lease }: KubernetesObject): KubernetesObject {
  const { holderIdentity: _holder, ...spec } = lease['spec'] as Record<string, unknown>;
  return { ...lease, metadata: { ...metadata, annotations: {} }, spec } as KubernetesObject;
}

/** Reads a Lease; whatever is missing in it, because somebody else wrote it, counts as empty. */
export function readLease({ metadata, ...lease }: KubernetesObject): LeaseState {
  const spec = (lease['spec'] ?? {}) as Partial<Record<string, string | number>>;
  const annotations = metadata.annotations ?? {};
  return {
    uid: metadata.uid ?? '',
    resourceVersion: metadata.resourceVersion ?? '',
    holder: {
      identity: String(spec['holderIdentity'] ?? ''),
      job: annotations[keys.job],
      process: annotations[keys.process],
    },
    operation: annotations[keys.operation] || 'an operation',
    acquireTime: String(spec['acquireTime'] ?? ''),
    renewTime: String(spec['renewTime'] ?? ''),
    seconds: Math.min(Number(spec['leaseDurationSeconds'] ?? leaseSeconds), maxLeaseSeconds),
  };
}

/** Kubernetes' MicroTime: six digits of a second. */
const microTime = (time: Date): string => time.toISOString().replace(/\.(\d{3})Z$/, '.$1000Z');
