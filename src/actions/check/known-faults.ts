import type { Cluster } from '../../cluster/types.ts';
import type { Manifest } from '../../manifest/types.ts';
import { levelOf } from '../../problem/level.ts';
import { isOfObject, type ObjectProblem } from '../../problem/problem.ts';
import { answersOf } from './answers.ts';
import { minorOf } from './versions.ts';

/** What an API server of the cluster's version would refuse of objects, by what is known here of their kinds. */
export async function knownFaults(
  manifests: readonly Manifest[],
  namespace: string,
  cluster: Cluster,
): Promise<readonly ObjectProblem[]> {
  const { problems } = await answersOf(
    { crds: [], manifests },
    { namespace, minor: minorOf(await cluster.version()) || undefined },
  );
  return problems.filter(isOfObject).filter((problem) => levelOf(problem) === 'error');
}
