import { isApiError } from '../cluster/api-error.ts';
import type { Cluster } from '../cluster/types.ts';
import type { ResourceId } from '../manifest/types.ts';
import { TshelmError } from '../support/errors.ts';
import type { Witness } from './types.ts';

/** Objects that live as long as their cluster, or nearly so. An account that may read only one namespace reads its own. */
const candidates = (namespace: string): readonly ResourceId[] => [
  { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'kube-system' },
  { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'default' },
  { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: namespace },
  { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'kube-root-ca.crt' },
];

/** What a cluster is known by. Errors: `plan-of-other-cluster` where nothing of it may be read. */
export async function witnessesOf(release: string, namespace: string, cluster: Cluster): Promise<readonly Witness[]> {
  const found = await Promise.all(candidates(namespace).map((id) => witness(id, cluster)));
  const witnesses = found.filter((one) => one !== undefined);
  if (witnesses.length > 0) return witnesses;
  throw new TshelmError('plan-of-other-cluster', {
    message: `a saved plan belongs to one cluster, but this cluster cannot be identified: tshelm needs permission to get one of ${candidates(
      namespace,
    )
      .map(({ kind, name }) => `${kind}/${name}`)
      .join(', ')}`,
    details: { release },
  });
}

async function witness(id: ResourceId, cluster: Cluster): Promise<Witness | undefined> {
  try {
    const uid = (await cluster.get(id))?.metadata.uid;
    return uid === undefined ? undefined : { ...id, uid };
  } catch (error) {
    if (isApiError(error)) return undefined;
    throw error;
  }
}

/** Errors: `plan-of-other-cluster`. What was there and may not be read any more tells nothing; one has to agree. */
export async function checkCluster(release: string, witnesses: readonly Witness[], cluster: Cluster): Promise<void> {
  const now = await Promise.all(witnesses.map((one) => witness(one, cluster)));
  const known = witnesses.filter((_one, index) => now[index] !== undefined);
  const others = known.filter(
    ({ uid, name, kind }) => !now.some((one) => one?.kind === kind && one.name === name && one.uid === uid),
  );
  const [other] = others;
  if (known.length > 0 && other === undefined) return;
  const why =
    other === undefined
      ? `none of ${witnesses.map(({ kind, name }) => `${kind}/${name}`).join(', ')} can be read here`
      : `${other.kind}/${other.name} has a different uid here than in the cluster that the plan was made for`;
  throw new TshelmError('plan-of-other-cluster', {
    message: `the plan of release "${release}" was made for another cluster: ${why}`,
    details: {
      release,
      remedies: [
        { kind: 'set-option', option: 'cluster.context' },
        { kind: 'set-option', option: 'cluster.kubeconfig' },
      ],
    },
  });
}
