import { quote } from '../../go/strconv/strconv.ts';
import { annotations, managedByHelm, managedByLabel } from '../../manifest/annotations.ts';
import { objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { TshelmError } from '../../support/errors.ts';
import { type FindOptions, findExisting } from './existing.ts';
import type { Target } from './targets.ts';

/** The release that objects belong to. */
export interface Owner {
  readonly release: string;
  readonly namespace: string;
}

/** An object that is there and not part of a release. */
export interface ForeignObject {
  readonly id: ResourceId;
  /** The other release that it belongs to; absent where it belongs to none. */
  readonly owner?: Owner | undefined;
  /** Why it is not part of the release, in Helm's words. */
  readonly conflict?: string | undefined;
}

/** The object with Helm's label and annotations, as it is sent; the stored manifest does not have them. */
export function withOwner(object: KubernetesObject, owner: Owner): KubernetesObject {
  const { labels, annotations: own } = object.metadata;
  return {
    ...object,
    metadata: {
      ...object.metadata,
      labels: { ...withTexts(labels), [managedByLabel]: managedByHelm },
      annotations: {
        ...withTexts(own),
        [annotations.releaseName]: owner.release,
        [annotations.releaseNamespace]: owner.namespace,
      },
    },
  };
}

/** The release that an object's annotations name; undefined where they name none. */
export function ownerOf({ metadata }: KubernetesObject): Owner | undefined {
  const { [annotations.releaseName]: release, [annotations.releaseNamespace]: namespace } = metadata.annotations ?? {};
  return release && namespace ? { release, namespace } : undefined;
}

/** Helm reads null as an empty text here (unstructured.NestedNullCoercingStringMap), elsewhere as no value. */
const withTexts = (texts: Readonly<Record<string, string | null>> | null | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(texts ?? {}).map(([key, text]) => [key, text ?? '']));

/**
 * The keys of those objects that are there already and may be taken into the release: they carry its ownership metadata,
 * or `takeOwnership` is set. Errors: `ownership-conflict`, naming every object that belongs to somebody else
 * (action.existingResourceConflict).
 */
export async function findAdoptable(
  targets: readonly Target[],
  owner: Owner,
  options: FindOptions & { readonly takeOwnership?: boolean | undefined },
): Promise<ReadonlySet<string>> {
  const named = targets.filter(hasName).map(({ id }) => id);
  const { objects, failures } = await findExisting(named, { ...options, metadataOnly: true });
  const [failure] = failures;
  if (failure !== undefined) throw unverifiable(failure.id, failure.cause);
  const there = named.filter((id) => objects.has(objectKey(id)));
  const foreign = options.takeOwnership ? [] : there.flatMap((id) => foreignObject(id, objects, owner));
  if (foreign.length > 0) {
    const conflicts = foreign.map(({ conflict }) => conflict);
    throw new TshelmError('ownership-conflict', {
      message: conflicts.join('\n'),
      details: { ...owner, conflicts, foreign },
    });
  }
  return new Set(there.map(objectKey));
}

/** Objects with generateName are new each time. */
function hasName({ object }: Target): boolean {
  const { name, generateName } = object.metadata;
  if (!generateName) return true;
  if (!name) return false;
  throw new TshelmError('invalid-manifest', { message: 'metadata.name and metadata.generateName cannot both be set' });
}

function foreignObject(id: ResourceId, objects: ReadonlyMap<string, KubernetesObject>, owner: Owner) {
  const live = objects.get(objectKey(id)) as KubernetesObject;
  const problem = ownershipProblem(live, owner);
  if (problem === undefined) return [];
  const conflict = `${formatResource(id)} exists and cannot be imported into the current release: ${problem}`;
  return [{ id, owner: otherOwner(live, owner), conflict }];
}

/** The release that an object belongs to, if that is another one. */
export function otherOwner(live: KubernetesObject, { release, namespace }: Owner): Owner | undefined {
  const owner = ownerOf(live);
  return owner?.release === release && owner.namespace === namespace ? undefined : owner;
}

/** What in an object's metadata speaks against its belonging to a release; undefined when nothing does (action.checkOwnership). */
export function ownershipProblem({ metadata }: KubernetesObject, owner: Owner): string | undefined {
  const problems = [
    ...requireValue('label', metadata.labels, managedByLabel, managedByHelm),
    ...requireValue('annotation', metadata.annotations, annotations.releaseName, owner.release),
    ...requireValue('annotation', metadata.annotations, annotations.releaseNamespace, owner.namespace),
  ];
  return problems.length === 0 ? undefined : `invalid ownership metadata; ${problems.join('; ')}`;
}

function requireValue(
  what: string,
  actual: Readonly<Record<string, string>> | null | undefined,
  key: string,
  value: string,
): readonly string[] {
  const current = actual?.[key];
  if (current === value) return [];
  const problem =
    current === undefined
      ? `missing key "${key}": must be set to "${value}"`
      : `key "${key}" must equal "${value}": current value is ${quote(current)}`;
  return [`${what} validation error: ${problem}`];
}

const formatResource = (id: ResourceId): string => `${id.kind} "${id.name}" in namespace "${id.namespace}"`;

const unverifiable = (id: ResourceId, cause: unknown): TshelmError =>
  new TshelmError('ownership-unknown', {
    message: `could not get information about the resource ${formatResource(id)}: ${cause instanceof Error ? cause.message : String(cause)}`,
    details: { ...id },
    cause,
  });
