import { textOr } from '../../manifest/fields.ts';
import type { CustomResourceDefinition } from '../../manifest/kubernetes.ts';
import { groupOf, idOf, titleOf } from '../../manifest/resource-id.ts';
import { groupBy } from '../../support/group-by.ts';
import type { Hazard, HazardInput } from './hazard.ts';
import { comparePlaces, type PlacedObject } from './places.ts';

/** Custom resources that are applied before their CRD, and objects before their Namespace: the API server refuses both. */
export function definitionHazards(input: HazardInput): readonly Hazard[] {
  const crds = definedBy(input, 'CustomResourceDefinition', ({ object }) => definedKind(object));
  const namespaces = definedBy(input, 'Namespace', ({ object }) => object.metadata.name);
  if (crds.size + namespaces.size === 0) return [];
  return input.objects.flatMap((user) => {
    const { apiVersion, kind, metadata } = user.object;
    const crd = firstWhenLate(user, crds.get(kindKey(groupOf(apiVersion), kind)));
    const namespace = firstWhenLate(user, namespaces.get(metadata.namespace ?? ''));
    return [
      ...(crd === undefined ? [] : [hazard('kind-before-crd', user, crd, crdText(user, crd))]),
      ...(namespace === undefined
        ? []
        : [hazard('object-before-namespace', user, namespace, namespaceText(user, namespace))]),
    ];
  });
}

const definedKind = ({ spec }: CustomResourceDefinition): string =>
  kindKey(textOr(spec?.group, ''), textOr(spec?.names?.kind, ''));

const kindKey = (group: string, kind: string): string => `${group}/${kind}`;

/** The objects of a cluster-scoped kind by what they define. */
const definedBy = (
  { objects }: HazardInput,
  kind: 'CustomResourceDefinition' | 'Namespace',
  keyOf: (placed: PlacedObject) => string,
): ReadonlyMap<string, readonly PlacedObject[]> =>
  groupBy(
    objects.filter(({ object }) => object.kind === kind),
    keyOf,
  );

/** The first of the objects that define something for `user`, if all come after it. */
function firstWhenLate(user: PlacedObject, defining: readonly PlacedObject[] = []): PlacedObject | undefined {
  const isInTime = defining.some(({ place }) => comparePlaces(place, user.place) <= 0);
  return isInTime ? undefined : defining[0];
}

const hazard = (kind: Hazard['kind'], user: PlacedObject, needed: PlacedObject, message: string): Hazard => ({
  kind,
  source: user.source,
  resource: titleOf(user.object),
  message,
  needs: { ...idOf(needed.object), namespace: '' },
});

const crdText = (user: PlacedObject, crd: PlacedObject): string =>
  `${nameOf(user)} is applied before ${titleOf(crd.object)}, which defines its kind; put the CRD into the folder crds/, or ${earlier(user)}`;

const namespaceText = (user: PlacedObject, namespace: PlacedObject): string =>
  `${nameOf(user)} is applied before ${titleOf(namespace.object)}, which it belongs to; move the Namespace ${earlier(user)}`;

const nameOf = ({ object, hook }: PlacedObject): string =>
  hook === undefined ? titleOf(object) : `the ${hook.event} hook ${titleOf(object)}`;

const earlier = ({ hook, nodes }: PlacedObject): string =>
  hook === undefined
    ? `into ${nodes.at(-1)} or an earlier batch`
    : `before it, as a ${hook.event} hook with a lower helm.sh/hook-weight`;
