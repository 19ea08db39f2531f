import type { Context } from '../change/context.ts';
import { isApiError } from '../cluster/api-error.ts';
import type { Cluster, ResourceMapping } from '../cluster/types.ts';
import { formatDuration } from '../go/time/duration.ts';
import type { ResourceId } from '../manifest/types.ts';
import { holderText, isRunning } from '../release/lock/holder.ts';
import { heartbeatSeconds, type LeaseState, readLease, releaseOfLease } from '../release/lock/lease.ts';
import type { RecordKind } from '../release/record.ts';
import type { Finding } from './doctor/finding.ts';
import { missingRights, neededRights, permissionFindings, type Right } from './doctor/rights.ts';

export interface DoctorRequest {
  /** The kinds whose objects are to be deployed; without any, those of most charts. */
  readonly kinds?: readonly Pick<ResourceId, 'apiVersion' | 'kind'>[] | undefined;
  /** The objects that hold releases; undefined where none do. */
  readonly recordKind: RecordKind | undefined;
}

/** What a cluster says of itself, of the user and of unfinished runs; nothing is changed. */
export interface ClusterReport {
  readonly findings: readonly Finding[];
  /** Everything that deploys of these kinds need. */
  readonly needed: readonly Right[];
}

/** Errors: those of a cluster that cannot be reached, or refuses what anybody may ask. */
export async function examineCluster(request: DoctorRequest, context: Context): Promise<ClusterReport> {
  const { namespace } = context;
  const cluster = await context.cluster();
  const { server, now } = await serverFindings(cluster, context);
  const { served, unserved } = await servedKinds(request.kinds ?? usualKinds, cluster);
  const needed = neededRights(served, request.recordKind);
  const [rights, locks] = await Promise.all([
    missingRights(cluster, namespace, needed).then((missing) => permissionFindings(missing, namespace)),
    lockFindings(cluster, namespace, request.recordKind, now),
  ]);
  return { findings: [...server, ...unserved, ...rights, ...locks], needed };
}

const usualKinds = [
  ['v1', 'ConfigMap'],
  ['v1', 'Secret'],
  ['v1', 'Service'],
  ['v1', 'ServiceAccount'],
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'StatefulSet'],
  ['batch/v1', 'Job'],
].map(([apiVersion = '', kind = '']) => ({ apiVersion, kind }));

/** `now` by the server's clock, where it says it. */
async function serverFindings(
  cluster: Cluster,
  { clock }: Context,
): Promise<{ readonly server: readonly Finding[]; readonly now: Date }> {
  const { gitVersion } = await cluster.version();
  const { user, time } = await whoAmI(cluster);
  const found: Finding = {
    area: 'server',
    level: 'ok',
    text: `Kubernetes ${gitVersion}, as ${user ?? 'a user that it does not name'}`,
  };
  if (time === undefined) return { server: [found], now: cluster.serverTime?.() ?? clock.now() };
  const skew = clockFinding(clock.now().getTime() - Date.parse(time));
  return { server: [found, skew], now: new Date(time) };
}

/** The clocks of leases are compared with this machine's; an answer takes a moment, and says whole seconds. */
const largestSkewMs = 5_000;

function clockFinding(skewMs: number): Finding {
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= largestSkewMs)
    return { area: 'clock', level: 'ok', text: 'this machine and the API server agree on the time' };
  const text = `this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the API server`;
  return { area: 'clock', level: 'warning', text, remedy: 'set-clock' };
}

/** Who the API server takes the user for, and when it answered (v1.28 and later). */
async function whoAmI(
  cluster: Cluster,
): Promise<{ readonly user?: string | undefined; readonly time?: string | undefined }> {
  const head = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  if ((await cluster.mapping(head.apiVersion, head.kind)) === undefined) return {};
  const review = await cluster.create({ ...head, metadata: { name: '' } });
  const status = review['status'] as { readonly userInfo?: { readonly username?: string } } | undefined;
  return { user: status?.userInfo?.username, time: review.metadata.creationTimestamp };
}

async function servedKinds(
  kinds: NonNullable<DoctorRequest['kinds']>,
  cluster: Cluster,
): Promise<{ readonly served: readonly ResourceMapping[]; readonly unserved: readonly Finding[] }> {
  const mappings = await Promise.all(
    kinds.map(async (of) => ({ of, mapping: await cluster.mapping(of.apiVersion, of.kind) })),
  );
  return {
    served: mappings.flatMap(({ mapping }) => mapping ?? []),
    unserved: mappings
      .filter(({ mapping }) => mapping === undefined)
      .map(({ of: { apiVersion, kind } }) => ({
        area: 'server',
        level: 'error',
        text: `does not serve ${kind} (${apiVersion}), which the chart has`,
        remedy: 'serve-kind' as const,
      })),
  };
}

/** Runs that hold a lock, and releases whose last run did not end. */
async function lockFindings(
  cluster: Cluster,
  namespace: string,
  kind: RecordKind | undefined,
  now: Date,
): Promise<readonly Finding[]> {
  const where = { namespace, metadataOnly: true };
  const pending = 'owner=helm,status in (pending-install,pending-upgrade,pending-rollback,uninstalling)';
  const [leases, unfinished] = await Promise.all([
    readable(
      cluster.list('coordination.k8s.io/v1', 'Lease', {
        namespace,
        labelSelector: 'app.kubernetes.io/managed-by=tshelm',
      }),
    ),
    kind === undefined ? [] : readable(cluster.list('v1', kind, { ...where, labelSelector: pending })),
  ]);
  const held = new Map(leases.map((lease) => [releaseOfLease(lease), readLease(lease)] as const));
  const findings: Finding[] = [
    ...[...held].filter(([, { holder }]) => holder.identity !== '').map((one) => heldFinding(one, now)),
    ...unfinished
      .filter(({ metadata }) => !held.has(metadata.labels?.['name'] ?? ''))
      .map(({ metadata: { labels } }): Finding => {
        const { name = '', status = '', version = '' } = labels ?? {};
        return {
          area: 'locks',
          level: 'warning',
          text: `release ${name} is ${status} (revision ${version}): its last run did not end, or plain Helm is running`,
          remedy: 'run-again',
        };
      }),
  ];
  return findings.length > 0
    ? findings
    : [{ area: 'locks', level: 'ok', text: `no release in namespace ${namespace} is being changed` }];
}

function heldFinding([release, lease]: readonly [string, LeaseState], now: Date): Finding {
  const { operation, holder, acquireTime } = lease;
  const who = `${holderText(holder)}, since ${acquireTime}`;
  const end = endOfHolder(lease, now);
  if (end === undefined)
    return {
      area: 'locks',
      level: 'note',
      text: `${operation} of ${release} is running: ${who}; ${renewal(lease, now)}`,
    };
  return {
    area: 'locks',
    level: 'warning',
    text: `${operation} of ${release} did not end and left its lock: ${who}; ${end}`,
    unfinished: { release, operation },
  };
}

/** What shows that the holder of a lock is gone: its process on this machine, or else a renewal that is overdue. */
function endOfHolder(lease: LeaseState, now: Date): string | undefined {
  if (isRunning(lease.holder.process) === false) return 'its process has ended';
  const isOverdue = !(secondsSince(lease.renewTime, now) <= lease.seconds + largestSkewMs / 1000);
  return isOverdue ? `${renewal(lease, now)}, though every ${heartbeatSeconds} s is usual` : undefined;
}

const secondsSince = (time: string, now: Date): number => (now.getTime() - Date.parse(time)) / 1000;

function renewal({ renewTime }: LeaseState, now: Date): string {
  const seconds = Math.max(0, Math.round(secondsSince(renewTime, now)));
  return Number.isNaN(seconds)
    ? 'it was never renewed'
    : `last renewed ${formatDuration(BigInt(seconds) * 1_000_000_000n)} ago by the server's clock`;
}

/** What may not be listed is told among the rights. */
async function readable<T>(list: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await list;
  } catch (thrown) {
    if (isApiError(thrown)) return [];
    throw thrown;
  }
}
