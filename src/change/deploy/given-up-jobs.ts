import { resolveServed } from '../../execute/apply/targets.ts';
import type { UnitState } from '../../execute/events.ts';
import { groupOf, objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { isSequencing, readSequencing, type Sequencing } from '../../plan/sequencing.ts';
import { readStoredManifest } from '../../plan/stored-manifest.ts';
import type { Unit } from '../../plan/types.ts';
import type { Release } from '../../release/types.ts';
import type { Context } from '../context.ts';

/**
 * The Jobs of the groups and charts that the last revision's ordered run failed at, by key and as it sent them: some were
 * given up while they were neither complete nor failed for good (docs/ordering.md, 4).
 */
export async function givenUpJobs(
  history: readonly Release[],
  namespace: string,
  { cluster, signal }: Context,
): Promise<ReadonlyMap<string, KubernetesObject>> {
  const last = history.at(-1);
  if (last?.info.status !== 'failed' || !isSequencing(last.sequencing)) return new Map();
  const unit = readSequencing(last.sequencing, readStoredManifest(last.manifest));
  const jobs = unit === undefined ? [] : failedManifests(unit, unit.name, failuresOf(last.sequencing)).filter(isJob);
  if (jobs.length === 0) return new Map();
  const targets = await resolveServed(jobs, { cluster: await cluster(), namespace, signal });
  return new Map(targets.map(({ id, object }) => [objectKey(id), object]));
}

const isJob = ({ object: { apiVersion, kind } }: Manifest): boolean =>
  kind === 'Job' && groupOf(apiVersion) === 'batch';

const failuresOf = ({ states = [] }: Sequencing): readonly UnitState[] =>
  (states as readonly UnitState[]).filter(({ state }) => state === 'failed');

/** What has no group has no state of its own: it failed where its chart did, and nothing in that says that it was the one. */
function failedManifests(unit: Unit, path: string, failures: readonly UnitState[]): readonly Manifest[] {
  const nodes = unit.batches.flatMap((batch) => batch.nodes);
  const hasFailed = (name?: string): boolean => failures.some((state) => state.unit === path && state.node === name);
  const named = nodes.flatMap((node): readonly Manifest[] => {
    if (node.kind === 'unit') return failedManifests(node.unit, `${path}/${node.unit.name}`, failures);
    return node.id !== 'rest' && hasFailed(node.name) ? node.manifests : [];
  });
  const isInside = failures.some((state) => state.unit.startsWith(`${path}/`) || (state.unit === path && state.node));
  if (isInside || !hasFailed()) return named;
  return nodes.flatMap((node) => (node.kind === 'resources' && node.id === 'rest' ? node.manifests : []));
}
