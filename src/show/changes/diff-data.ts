import type { Change, ObjectDiff, ReleaseDiff } from '../../actions/comparison/object-diff.ts';
import { fieldDifferences } from '../../manifest/field-differences.ts';
import { isShown } from './diff-text.ts';

/** What `diff -o json|yaml` prints. Unchanged objects are counted, not listed; `refused` tells why an object would be. */
export const diffData = ({ action, release, namespace, cluster, from, to, objects, hooks, warnings }: ReleaseDiff) => ({
  action,
  release,
  namespace,
  cluster,
  from,
  to,
  changes: objects.filter(isShown).map(changeData),
  hooks: hooks.filter(isShown).map(changeData),
  summary: summaryOf(objects),
  hookSummary: summaryOf(hooks),
  warnings,
});

const changeData = ({
  id,
  change,
  before,
  after,
  events,
  random,
  notes,
  problem,
  remedies,
  choices,
  ...object
}: ObjectDiff) => ({
  apiVersion: id.apiVersion,
  kind: id.kind,
  namespace: id.namespace || undefined,
  name: id.name,
  change,
  replaced: object.replaced,
  events,
  insteadOf: object.insteadOf?.id.name,
  succeededBy: object.succeededBy?.name,
  random,
  notes: notes.length === 0 ? undefined : notes,
  refused: problem,
  left: choices?.left.length ? choices.left : undefined,
  taken: choices?.taken.length ? choices.taken : undefined,
  remedies,
  fields:
    change === 'changed'
      ? fieldDifferences(before, after).map((field) => ({ path: field.path, before: field.before, after: field.after }))
      : undefined,
  object: change === 'added' ? after : change === 'removed' ? before : undefined,
});

function summaryOf(changes: readonly ObjectDiff[]) {
  return { ...countsOf(changes), refused: changes.filter(({ problem }) => problem !== undefined).length };
}

/** How many objects there are of each change. */
export function countsOf(changes: readonly ObjectDiff[]): Readonly<Record<Change, number>> {
  const count = (kind: Change): number => changes.filter(({ change }) => change === kind).length;
  return {
    added: count('added'),
    changed: count('changed'),
    removed: count('removed'),
    kept: count('kept'),
    unchanged: count('unchanged'),
  };
}
