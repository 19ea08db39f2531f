import { type DeclaredKinds, declaredKinds, resolveTargets, type Target } from '../../execute/apply/targets.ts';
import { unusable } from '../../execute/apply/unusable.ts';
import { objectSubject } from '../../execute/faults.ts';
import { lifecycleOf } from '../../kinds/lifecycles.ts';
import { itemsOf } from '../../manifest/items.ts';
import type { Identified } from '../../manifest/references.ts';
import { groupOf, idOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { type Problem, problemOf } from '../../problem/problem.ts';
import { problemsOf } from '../../support/errors.ts';
import { groupBy } from '../../support/group-by.ts';
import { nearest } from '../../support/near.ts';
import type { AskedServer } from './asked-server.ts';

/** The objects that a server can be asked about, and what is wrong with the others. */
export interface SortedOut {
  readonly targets: readonly Target[];
  readonly problems: readonly Problem[];
  /** Objects of kinds whose CRD nobody has. */
  readonly unchecked: readonly Identified[];
}

/** Who knows the kinds. */
export interface Where {
  /** The API server in this process. */
  readonly own: AskedServer;
  /** Where it is given, a kind that neither of the two serves is an error. */
  readonly live: AskedServer | undefined;
  readonly namespace: string;
}

/** Takes out what is no object, and objects of kinds that nobody serves. */
export async function sortedOut(manifests: readonly Manifest[], where: Where): Promise<SortedOut> {
  const { own, live, namespace } = where;
  const malformed = manifests.filter((manifest) => manifest.malformed !== undefined);
  const parts = manifests
    .filter((manifest) => manifest.malformed === undefined)
    .flatMap((manifest) => itemsOf(manifest.object).map((object): Manifest => ({ ...manifest, object })));
  const { scopes, isServed } = await kindsOf(parts, where);
  const served = parts.filter(isServed);
  const unserved = parts.filter((part) => !isServed(part));
  const kinds = malformed.length + unserved.length === 0 ? [] : await (live ?? own).resources();
  const groups = new Set(kinds.map(({ group }) => group));
  const isMisspelt = ({ apiVersion, kind }: KubernetesObject): boolean =>
    kinds.some((one) => one.kind === kind && nearest(groupOf(apiVersion), [one.group]) !== undefined);
  const isUnknown = ({ object }: Manifest): boolean => {
    const group = groupOf(object.apiVersion);
    return live !== undefined || groups.has(group) || !group.includes('.') || isMisspelt(object);
  };
  const parted = groupBy(unserved, isUnknown);
  const [unknown = [], unchecked = []] = [parted.get(true), parted.get(false)];
  return {
    targets: await resolveTargets(served, { cluster: own, namespace }, scopes),
    unchecked: unchecked.map(({ object }) => ({
      object,
      id: { ...idOf(object), namespace: object.metadata.namespace || namespace },
    })),
    problems: [
      ...(malformed.length + unknown.length === 0 ? [] : problemsOf(unusable(malformed, unknown, kinds))),
      ...unchecked.map(notChecked),
    ],
  };
}

const kindOf = ({ apiVersion, kind }: KubernetesObject): string => `${groupOf(apiVersion)}/${kind}`;

interface Kinds {
  /** Whether the kinds are namespaced. */
  readonly scopes: DeclaredKinds;
  /** Whether somebody serves the version that the object has, or the objects themselves define its kind. */
  readonly isServed: (part: Manifest) => boolean;
}

async function kindsOf(parts: readonly Manifest[], { own, live }: Where): Promise<Kinds> {
  const declared = declaredKinds(parts);
  const scopes = new Map(declared);
  const versions = new Map<string, boolean>();
  const versionOf = ({ apiVersion, kind }: KubernetesObject): string => `${apiVersion}/${kind}`;
  for (const { object } of parts) {
    const { apiVersion, kind } = object;
    if (declared.has(kindOf(object)) || versions.has(versionOf(object))) continue;
    const isBuiltIn = lifecycleOf(object) !== undefined;
    const known = isBuiltIn && live !== undefined ? undefined : await own.mapping(apiVersion, kind);
    const mapping = known ?? (await live?.mapping(apiVersion, kind));
    versions.set(versionOf(object), mapping !== undefined);
    if (mapping !== undefined) scopes.set(kindOf(object), mapping.namespaced);
  }
  return { scopes, isServed: ({ object }) => versions.get(versionOf(object)) ?? declared.has(kindOf(object)) };
}

const notChecked = ({ object, source }: { readonly object: KubernetesObject; readonly source: string }): Problem =>
  problemOf({
    subject: objectSubject(idOf(object), source),
    cause: { code: 'kind-not-checked', apiVersion: object.apiVersion, kind: object.kind },
  });
