import { type OutsideNeed, readNeed } from '../chart/need.ts';
import type { Chart } from '../chart/types.ts';
import { annotations } from '../manifest/annotations.ts';
import { itemsOf } from '../manifest/items.ts';
import { readNames } from '../manifest/name-list.ts';
import { groupOf } from '../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../manifest/types.ts';
import { type FileLine, fileLineText } from '../support/file-line.ts';
import { addTo } from '../support/group-by.ts';
import { declarationOf } from './declarations.ts';
import type { Need } from './derived/needs.ts';
import { resourceName } from './names.ts';
import type { Batch, PlannedNeed, Step, Unit } from './types.ts';

/** The needs that resources declare (docs/ordering.md, 11). */
export interface DeclaredNeeds {
  /** What is outside of the release. */
  readonly outside: ReadonlyMap<Manifest, readonly PlannedNeed[]>;
  /** What is an object of the release: edges of its graph. */
  readonly own: readonly Need[];
}

/** `namespace` is the release's, where it is known. */
export function declaredNeeds(manifests: readonly Manifest[], namespace: string | undefined): DeclaredNeeds {
  const outside = new Map<Manifest, PlannedNeed[]>();
  const own: Need[] = [];
  for (const user of manifests) {
    const place = user.declaredAt?.[annotations.needs];
    for (const need of needsAt(declarationOf(user).needs ?? [], place)) {
      const found = namedObjects(need, manifests, namespace);
      own.push(...found.map((needed) => ({ user, needed, why: `${resourceName(needed)} (${need.why})` })));
      if (found.length === 0) addTo(outside, user, need);
    }
  }
  return { outside, own };
}

const needsAt = (texts: readonly string[], place: FileLine | undefined): readonly PlannedNeed[] =>
  place === undefined
    ? plannedNeeds(texts, annotations.needs)
    : plannedNeeds(texts, fileLineText(place)).map((need) => ({ ...need, place }));

export const plannedNeeds = (texts: readonly string[], why: string): readonly PlannedNeed[] =>
  texts.flatMap((text): readonly PlannedNeed[] => {
    const need = readNeed(text);
    return need === undefined ? [] : [{ ...need, why }];
  });

/** The objects of the release that a need names. */
export const namedObjects = (
  need: OutsideNeed,
  manifests: readonly Manifest[],
  namespace: string | undefined,
): readonly Manifest[] =>
  need.kind === 'object'
    ? manifests.filter(({ object }) => itemsOf(object).some((one) => isNamed(one, need, namespace)))
    : [];

/** Where the namespace is not known, an object without one is meant by its name alone. */
function isNamed(
  { apiVersion, kind, metadata }: KubernetesObject,
  need: Extract<OutsideNeed, { readonly kind: 'object' }>,
  namespace: string | undefined,
): boolean {
  if (need.objectKind !== kind) return false;
  if (need.group !== undefined && need.group !== groupOf(apiVersion)) return false;
  const own = metadata.namespace || namespace;
  const isHere = own === namespace || namespace === undefined;
  return (isHere && need.name === metadata.name) || need.name === `${metadata.name}.${own}`;
}

/** The unit with what its nodes need outside of the release. */
export const withNeeds = (unit: Unit, { outside }: Pick<DeclaredNeeds, 'outside'>): Unit =>
  outside.size === 0
    ? unit
    : {
        ...unit,
        batches: unit.batches.map(
          (batch): Batch => ({
            ...batch,
            nodes: batch.nodes.map((node) => {
              if (node.kind === 'unit') return { ...node, unit: withNeeds(node.unit, { outside }) };
              const needs = node.manifests.flatMap((manifest) => outside.get(manifest) ?? []);
              return needs.length === 0 ? node : { ...node, needs: eachOnce(needs) };
            }),
          }),
        ),
      };

const eachOnce = (needs: readonly PlannedNeed[]): readonly PlannedNeed[] => [
  ...new Map(needs.map((need) => [need.text, need])).values(),
];

/** What the whole release needs: by its order file, or else by its Chart.yaml. */
export function releaseNeeds({ order, metadata }: Pick<Chart, 'order' | 'metadata'>): readonly PlannedNeed[] {
  if (order?.needs !== undefined) return needsAt(order.needs.needs, order.needs.place);
  return recordedNeeds(metadata);
}

/** The same by a Chart.yaml, or the record of one. */
export const recordedNeeds = ({ annotations: given }: Pick<Chart['metadata'], 'annotations'>): readonly PlannedNeed[] =>
  plannedNeeds(readNames(given?.[annotations.needs]), annotations.needs);

/** Everything outside of its release that a step waits for, each once. */
export const needsOfStep = (step: Step): readonly PlannedNeed[] =>
  eachOnce(step.kind === 'await-needs' ? step.needs : step.kind === 'apply' ? needsIn(step.unit) : []);

const needsIn = ({ batches }: Unit): readonly PlannedNeed[] =>
  batches.flatMap(({ nodes }) =>
    nodes.flatMap((node) => (node.kind === 'unit' ? needsIn(node.unit) : (node.needs ?? []))),
  );

/** What a node waits for, for people: nodes of its unit, and what is outside of the release. */
export const reasonsOf = ({
  because,
  needs = [],
}: Pick<Batch['nodes'][number], 'because' | 'needs'>): readonly string[] => [...because, ...needs.map(needText)];

/** `Deployment/postgres.db (order.yaml:3)` */
export const needText = ({ text, why }: PlannedNeed): string => `${text} (${why})`;
