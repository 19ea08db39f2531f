import type { Cluster } from '../../cluster/types.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { podReferences } from '../../plan/hazards/references.ts';
import { undefinedIfRefused } from './measured-times.ts';

/**
 * Copies to a stage what pods of these objects need and do not bring themselves, as far as it may be read: the ConfigMaps,
 * Secrets, claims and accounts that they name, the classes, and the nodes.
 */
export async function copySurroundings(
  objects: readonly KubernetesObject[],
  namespace: string,
  { live, stage }: { readonly live: Cluster; readonly stage: Cluster },
): Promise<void> {
  const key = (kind: string, name: string): string => `${kind}/${name}`;
  const own = new Set(objects.map(({ kind, metadata }) => key(kind, metadata.name)));
  const named = new Map<string, ResourceId>();
  for (const object of objects) {
    for (const id of podReferences(object, namespace))
      if (!own.has(key(id.kind, id.name))) named.set(`${id.namespace} ${key(id.kind, id.name)}`, id);
  }
  const [found, ...lists] = await Promise.all([
    Promise.all([...named.values()].map((id) => live.get(id).catch(undefinedIfRefused))),
    ...clusterWide.map(([apiVersion, kind]) => live.list(apiVersion, kind).catch(undefinedIfRefused)),
  ]);
  const [classes = [], priorities = [], runtimes = [], nodes = []] = lists;
  const copied = [...classes, ...priorities, ...runtimes, ...nodes, ...found.filter((object) => object !== undefined)];
  for (const object of copied)
    if (!own.has(key(object.kind, object.metadata.name)))
      await stage.apply(copyOf(object), { fieldManager: 'rehearsal', force: true });
  const isOurs = nodes.some(({ metadata }) => metadata.name === stageNode.name);
  if (nodes.length > 0 && !isOurs) await stage.delete(stageNode);
}

const clusterWide = [
  ['storage.k8s.io/v1', 'StorageClass'],
  ['scheduling.k8s.io/v1', 'PriorityClass'],
  ['node.k8s.io/v1', 'RuntimeClass'],
  ['v1', 'Node'],
] as const;

/** The node that a sandbox has where nobody describes others. */
const stageNode: ResourceId = { apiVersion: 'v1', kind: 'Node', namespace: '', name: 'node-1' };

/** Without what the cluster's own controllers have written; a claim is bound anew. */
function copyOf(object: KubernetesObject): KubernetesObject {
  const { apiVersion, kind, metadata, ...content } = object;
  const { name, namespace = '', labels = {}, annotations = {} } = metadata;
  const copy = {
    ...content,
    apiVersion,
    kind,
    metadata: { name, ...(namespace !== '' && { namespace }), labels, annotations },
  };
  if (kind !== 'PersistentVolumeClaim') return kind === 'Node' ? copy : { ...copy, status: undefined };
  const { accessModes, resources, volumeMode } = (content as { spec?: Record<string, unknown> }).spec ?? {};
  return { ...copy, spec: { accessModes, resources, volumeMode }, status: undefined };
}
