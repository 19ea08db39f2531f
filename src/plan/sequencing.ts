import type { Manifest } from '../manifest/types.ts';
import { groupBy } from '../support/group-by.ts';
import { manifestsOf } from './arrange.ts';
import { plannedNeeds } from './outside-needs.ts';
import type { BatchNode, PlannedNeed, Unit } from './types.ts';

/** What a release keeps of its order, as JSON: the record's field `sequencing`. */
export interface Sequencing {
  readonly strategy: 'ordered';
  readonly name: string;
  readonly batches: readonly (readonly StoredNode[])[];
  /** What the whole release waits for. */
  readonly needs?: readonly StoredNeed[] | undefined;
  /** As of {@link Unit}. */
  readonly isFree?: boolean | undefined;
  /** How far each unit and group got (execute/events.ts, UnitState). */
  readonly states?: readonly unknown[] | undefined;
}

/** A subchart has batches of its own; any other node has resources, as `apps/v1 Deployment web`. */
export interface StoredNode {
  readonly id: string;
  readonly name: string;
  readonly after: readonly string[];
  readonly because: readonly string[];
  readonly needs?: readonly StoredNeed[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly batches?: readonly (readonly StoredNode[])[] | undefined;
}

/** No chart can write here: a URL that is here was named by an order file. */
type StoredNeed = Pick<PlannedNeed, 'text' | 'why'>;

/** docs/ordering.md, What is stored: the batches of a revision, for uninstall and rollback. */
export const sequencingOf = (unit: Unit, needs: readonly PlannedNeed[] = []): Sequencing => ({
  strategy: 'ordered',
  name: unit.name,
  ...storedNeeds(needs),
  batches: storedBatches(unit),
  ...(unit.isFree && { isFree: true }),
});

const storedBatches = (unit: Unit): readonly (readonly StoredNode[])[] =>
  unit.batches.map(({ nodes }) => nodes.map(storedNode));

function storedNode(node: BatchNode): StoredNode {
  const { id = '', after = [], because, needs = [] } = node;
  return node.kind === 'unit'
    ? { id, name: node.unit.name, after, because, batches: storedBatches(node.unit) }
    : { id, name: node.name, after, because, ...storedNeeds(needs), resources: node.manifests.map(keyOf) };
}

const storedNeeds = (needs: readonly PlannedNeed[]) =>
  needs.length === 0 ? {} : { needs: needs.map(({ text, why }): StoredNeed => ({ text, why })) };

/** What the whole release needs, of a record that can be read. */
export const neededBy = ({ needs = [] }: Sequencing): readonly PlannedNeed[] => readNeeds(needs);

const readNeeds = (needs: readonly StoredNeed[]): readonly PlannedNeed[] =>
  needs.flatMap(({ text, why }) => plannedNeeds([String(text)], String(why)));

/** The texts of all needs that a record knows. */
export const knownNeeds = ({ needs = [], batches }: Pick<Sequencing, 'needs' | 'batches'>): readonly string[] => [
  ...needs.map(({ text }) => text),
  ...batches.flat().flatMap((node) => knownNeeds({ needs: node.needs, batches: node.batches ?? [] })),
];

/** The same of a unit of which nothing is done yet. */
export const pendingSequencing = (unit: Unit, needs?: readonly PlannedNeed[]): Sequencing => ({
  ...sequencingOf(unit, needs),
  states: pendingStates(unit, unit.name),
});

function pendingStates(unit: Unit, path: string): readonly PendingState[] {
  const nodes = unit.batches.flatMap((batch) => batch.nodes);
  return [
    { unit: path, state: 'pending' },
    ...nodes.flatMap((node): readonly PendingState[] => {
      if (node.kind === 'unit') return pendingStates(node.unit, `${path}/${node.unit.name}`);
      return node.id === 'rest' ? [] : [{ unit: path, node: node.name, state: 'pending' }];
    }),
  ];
}

interface PendingState {
  readonly unit: string;
  readonly node?: string;
  readonly state: 'pending';
}

/**
 * The unit that a stored `sequencing` describes, with the resources of the stored manifest; undefined where there is
 * none, or where it is not of this manifest.
 */
export function readSequencing(value: unknown, manifests: readonly Manifest[]): Unit | undefined {
  if (!isSequencing(value)) return undefined;
  const left = groupBy(manifests, keyOf);
  const unit = readUnit(value, left);
  return manifestsOf(unit).length === manifests.length ? unit : undefined;
}

/** `apps/v1 Deployment web`, with the namespace before the name where the manifest has one. */
const keyOf = ({ object: { apiVersion, kind, metadata } }: Manifest): string =>
  `${apiVersion} ${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;

/** Whether what a record holds can be read: another version of tshelm may have written it. */
export const isSequencing = (value: unknown): value is Sequencing => {
  const { strategy, name, batches, needs = [] } = (value ?? {}) as Partial<Sequencing>;
  return strategy === 'ordered' && typeof name === 'string' && areBatches(batches) && Array.isArray(needs);
};

/** Every batch that becomes ready writes the record again, and most of a long order stays what it was. */
const knownBatches = new WeakSet<object>();

const areBatches = (value: unknown): boolean => {
  if (!Array.isArray(value)) return false;
  const areKnown = knownBatches.has(value) || value.every((nodes) => Array.isArray(nodes) && nodes.every(isNode));
  if (areKnown) knownBatches.add(value);
  return areKnown;
};

const isNode = (value: unknown): boolean => {
  const { id, name, after, because, needs = [], resources, batches } = (value ?? {}) as Partial<StoredNode>;
  const isText = [id, name].every((text) => typeof text === 'string');
  return isText && [after, because, needs].every(Array.isArray) && (Array.isArray(resources) || areBatches(batches));
};

type ManifestsByKey = ReadonlyMap<string, Manifest[]>;

type StoredUnit = Pick<Sequencing, 'name' | 'batches' | 'isFree'>;

const readUnit = ({ name, batches, isFree }: StoredUnit, left: ManifestsByKey): Unit => ({
  name,
  ...(isFree === true && { isFree }),
  batches: batches.map((nodes) => ({ wait: true, nodes: nodes.map((node) => readNode(node, left)) })),
});

/** A key that occurs twice takes the next of the documents that have it. */
function readNode(stored: StoredNode, left: ManifestsByKey): BatchNode {
  const { id, name, after, because, needs = [], resources = [], batches } = stored;
  const order = { id, after, because, ...(needs.length > 0 && { needs: readNeeds(needs) }) };
  if (batches !== undefined) return { kind: 'unit', unit: readUnit({ name, batches }, left), ...order };
  const manifests = resources.flatMap((key) => left.get(String(key))?.shift() ?? []);
  return { kind: 'resources', name, manifests, ...order };
}
