import type { UnitState } from '../../execute/events.ts';
import { isSequencing } from '../../plan/sequencing.ts';
import { type Order, orderLabel } from '../../plan/stored-order.ts';
import type { Release } from '../../release/types.ts';

/** The record of a release that is deployed in this order. */
export const withOrder = (release: Release, { sequencing, kept }: Order): Release => ({
  ...release,
  ...(kept !== undefined && { chart: annotated(release.chart, kept) }),
  sequencing,
  labels: sequencing === undefined ? withoutLabel(release.labels) : { ...release.labels, [orderLabel]: 'ordered' },
});

function withoutLabel({ [orderLabel]: _order, ...labels }: Release['labels']): Release['labels'] {
  return labels;
}

/** With the edges as annotations, which Helm keeps when it writes the record anew. */
function annotated(chart: Release['chart'], added: Readonly<Record<string, string>>): Release['chart'] {
  if (Object.keys(added).length === 0) return chart;
  const { metadata } = chart;
  return { ...chart, metadata: { ...metadata, annotations: { ...metadata.annotations, ...added } } };
}

/** The sequencing with one more state. */
export function withState(sequencing: unknown, changed: UnitState): unknown {
  if (!isSequencing(sequencing)) return sequencing;
  const states = (sequencing.states ?? []) as readonly UnitState[];
  const isSame = ({ unit, node }: UnitState): boolean => unit === changed.unit && node === changed.node;
  return { ...sequencing, states: states.map((state) => (isSame(state) ? changed : state)) };
}
