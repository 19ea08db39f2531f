import type { Cluster } from '../../cluster/types.ts';
import { declaredKinds } from '../../execute/apply/targets.ts';
import { type Preview, type PreviewOptions, previewApply } from '../../execute/preview/preview.ts';
import { annotations } from '../../manifest/annotations.ts';
import { itemsOf } from '../../manifest/items.ts';
import { hasObject, parseManifests } from '../../manifest/parse.ts';
import { idOf, objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { TshelmError } from '../../support/errors.ts';
import { writePlainYaml } from '../../yaml/index.ts';
import { type EntryOptions, type ManifestEntry, readEntries } from './entries.ts';

export interface LiveRequest {
  readonly cluster: Cluster;
  readonly release: string;
  readonly namespace: string;
  /** The recorded manifest; '' for a release that is not there. */
  readonly before: string;
  readonly after: string;
  readonly applyMethod?: 'ssa' | 'csa' | undefined;
  readonly takeOwnership?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface LiveManifests {
  /** What the cluster has of the new manifest, and what only the old one has. */
  readonly before: string;
  /** What the cluster would have, as a server-side dry run answers. */
  readonly after: string;
  readonly live: readonly KubernetesObject[];
}

/**
 * Both sides of a comparison with what the cluster has, as `--three-way-merge` of helm-diff makes them: each object is sent
 * as a server-side dry run. Errors: `diff-refused` for what the server would refuse.
 */
export async function liveManifests(request: LiveRequest): Promise<LiveManifests> {
  const { cluster, namespace, signal } = request;
  const before = objectsOf(request.before);
  const manifests = parseManifests(request.after).filter(hasObject);
  const keyOf = (object: KubernetesObject): string => objectKey(idOf(object, namespace));
  const rendered = new Map(manifests.flatMap(({ object }) => itemsOf(object)).map((one) => [keyOf(one), one]));
  const options: PreviewOptions = {
    cluster,
    owner: { release: request.release, namespace },
    applyMethod: request.applyMethod,
    takeOwnership: true,
    originals: new Map(before.map((object) => [keyOf(object), object])),
    declared: declaredKinds(manifests, []),
    signal,
  };
  // Hooks carry no mark of their release.
  const previews = (
    await Promise.all([
      previewApply(
        manifests.filter((manifest) => !isHook(manifest)),
        options,
      ),
      previewApply(manifests.filter(isHook), { ...options, isOwned: false }),
    ])
  ).flat();
  const refused = previews.filter(({ problem }) => problem !== undefined);
  if (refused.length > 0) throw refusal(refused);
  const gone = before.filter((object) => !rendered.has(keyOf(object)));
  const there = previews.filter(({ live }) => live !== undefined);
  const fresh = previews
    .filter(({ live }) => live === undefined)
    .map(({ id, result }) => rendered.get(objectKey(id)) ?? result);
  return {
    before: documents([...gone, ...there.map(({ live }) => withoutServerFields(live as KubernetesObject))]),
    after: documents([...fresh, ...there.map(({ result }) => withoutServerFields(result))]),
    live: there.map(({ live }) => live as KubernetesObject),
  };
}

const isHook = ({ object }: Manifest): boolean => annotations.hook in (object.metadata.annotations ?? {});

const objectsOf = (manifest: string): readonly KubernetesObject[] =>
  parseManifests(manifest)
    .filter(hasObject)
    .flatMap(({ object }) => itemsOf(object));

const documents = (objects: readonly KubernetesObject[]): string =>
  objects.map((object) => `\n---\n${writePlainYaml(object)}`).join('');

const refusal = (refused: readonly Preview[]): TshelmError =>
  new TshelmError('diff-refused', {
    message: `unable to generate manifests: ${refused.map(({ id, problem }) => `cannot patch "${id.name}" with kind ${id.kind}: ${problem}`).join('\n')}`,
  });

/** Without what the server adds to every object, and what Helm writes into each of its own. */
function withoutServerFields({
  status: _status,
  ...object
}: KubernetesObject & { readonly status?: unknown }): KubernetesObject {
  const metadata: Record<string, unknown> = { ...object.metadata };
  for (const field of ['managedFields', 'generation', 'creationTimestamp', 'resourceVersion', 'uid'])
    delete metadata[field];
  const kept = Object.entries(object.metadata.annotations ?? {}).filter(([name]) => !foreignAnnotations.has(name));
  if (kept.length === 0) delete metadata['annotations'];
  else metadata['annotations'] = Object.fromEntries(kept);
  return { ...object, metadata } as KubernetesObject;
}

const foreignAnnotations: ReadonlySet<string> = new Set([
  annotations.releaseName,
  annotations.releaseNamespace,
  'deployment.kubernetes.io/revision',
]);

export interface Takeover {
  readonly old: string;
  readonly next: string;
  readonly entry: ManifestEntry;
}

/** Objects that another release has now, or none, by key; with --take-ownership they change their owner. */
export function takeovers(
  live: readonly KubernetesObject[],
  release: string,
  options: EntryOptions,
): ReadonlyMap<string, Takeover> {
  const next = `${options.namespace}/${release}`;
  const found = live.flatMap((object): [string, Takeover][] => {
    const { [annotations.releaseNamespace]: namespace, [annotations.releaseName]: owner = '' } =
      object.metadata.annotations ?? {};
    const old = namespace === undefined ? owner : `${namespace}/${owner}`;
    if (old === next) return [];
    return [...readEntries(writePlainYaml(withoutServerFields(object)), options)].map(([key, entry]) => [
      key,
      { old, next, entry },
    ]);
  });
  return new Map(found);
}
