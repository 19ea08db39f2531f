import {
  type MovedObject,
  type MovedRecord,
  type MovePlan,
  type MoveResult,
  sameRelease,
} from '../../change/moves/moves.ts';
import { formatId } from '../../manifest/resource-id.ts';
import type { ReleaseId } from '../../release/types.ts';
import { unreachable } from '../../support/errors.ts';
import { groupBy } from '../../support/group-by.ts';
import { printableLine } from '../../support/printable.ts';

/** What a move did, or with a dry run would do: its objects, then its records. */
export function moveText({ plan, isUnchanged }: Pick<MoveResult, 'plan' | 'isUnchanged'>, isDryRun: boolean): string {
  if (isUnchanged) return `${moveTitle(plan)}: nothing to do\n`;
  const groups = groupBy(plan.records, ({ release, namespace, action }) => `${namespace}/${release} ${action}`);
  const records = [...groups.values()].map((group) => `  ${recordsText(group, plan)}\n`);
  return [
    `${moveTitle(plan)}${isDryRun ? ' (dry run)' : ''}\n`,
    ...plan.objects.map((object) => `  ${objectText(object, plan)}\n`),
    ...(records.length === 0 ? [] : ['records:\n', ...records]),
  ].join('');
}

/** What `-o json|yaml` prints. */
export const moveData = ({ plan, isUnchanged, warnings }: MoveResult) => ({ ...plan, isUnchanged, warnings });

export function moveTitle({ kind, from, to, objects }: MovePlan): string {
  const count = `${objects.length} ${objects.length === 1 ? 'object' : 'objects'}`;
  switch (kind) {
    case 'move':
      return `move ${count} from release ${nameOf(from)} to release ${nameOf(to, from)}`;
    case 'rename':
      return `rename release ${nameOf(from)} to ${nameOf(to, from)}`;
    case 'adopt':
      return `adopt ${count} into release ${nameOf(to)}`;
    default:
      return unreachable(kind);
  }
}

const nameOf = (one: ReleaseId | undefined, other?: ReleaseId): string =>
  one === undefined || one.namespace === other?.namespace ? `${one?.release}` : `${one.release} in ${one.namespace}`;

function objectText({ state, owner, ...id }: MovedObject, { from }: MovePlan): string {
  switch (state) {
    case 'changes':
      return owner === undefined || sameRelease(owner, from)
        ? formatId(id)
        : `${formatId(id)} (belongs to release ${printableLine(nameOf(owner))}, and is taken from there)`;
    case 'unchanged':
      return `${formatId(id)} (has its new owner already)`;
    case 'absent':
      return `${formatId(id)} (not in the cluster: only the records change)`;
    case 'foreign':
      return `${formatId(id)} (belongs to release ${printableLine(nameOf(owner))}, and stays there)`;
    default:
      return unreachable(state);
  }
}

/** Records of one release that share an action: `shop: 30 revisions are deleted`. */
function recordsText(records: readonly MovedRecord[], plan: MovePlan): string {
  const { action, release, revision, ...record } = records[0] as MovedRecord;
  const where = record.namespace === (plan.from ?? plan.to).namespace ? '' : ` in ${record.namespace}`;
  const isOne = records.length === 1;
  const what = isOne ? `revision ${revision}` : `${records.length} revisions`;
  switch (action) {
    case 'create':
      return `${release}${where}: new revision ${revision}`;
    case 'copy':
      return `${release}${where}: ${what}, as ${isOne ? 'it was' : 'they were'}`;
    case 'delete':
      return `${release}${where}: ${what} ${isOne ? 'is' : 'are'} deleted`;
    default:
      return unreachable(action);
  }
}
