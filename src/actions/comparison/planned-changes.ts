import type { ResourceId } from '../../manifest/types.ts';
import type { PlannedAction, PlannedChanges, PlannedObject } from '../../plan/types.ts';
import type { Change } from './object-diff.ts';
import type { OutlinedObject, ReleaseOutline } from './review.ts';

/** What a plan does to each object: to those of its outline, and to those that stay as they are. */
export const plannedChanges = (
  { cluster, from, to, objects, hooks }: ReleaseOutline,
  unchanged: readonly ResourceId[],
): PlannedChanges => ({
  ...(cluster && { cluster }),
  from,
  to,
  objects: [...objects.map(plannedObject), ...unchanged.map((id) => ({ id, action: 'unchanged', notes: [] }) as const)],
  randomNames: hooks.flatMap(randomNameOf),
});

/** Its name, where each render makes it anew. */
export const randomNameOf = ({ id, random }: Pick<OutlinedObject, 'id' | 'random'>): readonly string[] =>
  random?.some(({ path }) => path === 'metadata.name') ? [id.name] : [];

function plannedObject(object: OutlinedObject): PlannedObject {
  const { id, fields, adoptedFrom, replacedFor, problem, mayComeYet, notes } = object;
  return {
    id,
    action: actionFor(object),
    fields,
    forcedBy: replacedFor,
    from: adoptedFrom || undefined,
    problem,
    mayComeYet,
    notes,
  };
}

function actionFor({ change, adoptedFrom, replacedFor, problem, mayComeYet }: OutlinedObject): PlannedAction {
  if (problem !== undefined && !mayComeYet) return 'refused';
  if (replacedFor !== undefined) return 'replace';
  return adoptedFrom === undefined ? actions[change] : 'adopt';
}

/** The action that brings a change about. */
const actions: Readonly<Record<Change, PlannedAction>> = {
  added: 'create',
  changed: 'change',
  removed: 'delete',
  kept: 'keep',
  unchanged: 'unchanged',
};
