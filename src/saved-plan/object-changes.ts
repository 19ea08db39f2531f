import { fieldDifferences } from '../manifest/field-differences.ts';
import { type FieldWriter, fieldsByManager, writersOf } from '../manifest/field-writers.ts';
import { formatId, isNamedAmong, objectKey } from '../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { equalJson } from '../support/json.ts';
import { compareText } from '../support/order.ts';
import { wholeSeconds } from '../support/time.ts';
import { fieldsText, type LiveObject, shownFields } from './found.ts';
import { hiddenIn } from './hidden-parts.ts';
import type { OutdatedPart } from './outdated.ts';
import { isProved } from './proof.ts';
import type { Mask } from './secrets.ts';
import type { FoundObject, SavedAction, SavedPlan } from './types.ts';

/** Objects that a plan touches and that are not as they were when it was made, but for those that are allowed. */
export async function objectChanges(
  found: readonly FoundObject[],
  live: readonly LiveObject[],
  { allowed, ...planned }: PlannedBy & { readonly allowed: readonly string[] },
): Promise<readonly OutdatedPart[]> {
  const now = new Map(live.map((one) => [keyOf(one.task, one.id), one]));
  const due = found.filter(({ id }) => !isNamedAmong(id, allowed));
  const changes = await Promise.all(due.map((one) => changesOf(one, now.get(keyOf(one.task, one.id)), planned)));
  return [...changes.flat(), ...unknownObjects(found, live)];
}

/** Those that the plan touches and its file does not name. */
function unknownObjects(found: readonly FoundObject[], live: readonly LiveObject[]): readonly OutdatedPart[] {
  const known = new Set(found.map(({ task, id }) => keyOf(task, id)));
  return live
    .filter(({ task, id }) => !known.has(keyOf(task, id)))
    .map(({ id }) => ({
      kind: 'rendering',
      subject: formatId(id),
      text: `${formatId(id)} is not among the plan's objects`,
    }));
}

const keyOf = (task: FoundObject['task'], id: ResourceId): string => `${task} ${objectKey(id)}`;

interface PlannedBy {
  readonly mask: Mask;
  readonly since: SavedPlan['createdAt'];
  readonly action: SavedAction;
}

export async function changesOf(
  was: FoundObject,
  is: LiveObject | undefined,
  { mask, since, action }: PlannedBy,
): Promise<readonly OutdatedPart[]> {
  const subject = formatId(was.id);
  const outdatedObject = (text: string, more: Partial<OutdatedPart> = {}): readonly OutdatedPart[] => [
    { kind: 'object', subject, text: `${subject} ${text}`, ...more },
  ];
  // It would not be touched now, whether it is there or not.
  if (is === undefined) return outdatedObject(untouchedText(action));
  if (is.problem !== undefined) return outdatedObject(`cannot be read: ${is.problem}`);
  const { live } = is;
  if (live === undefined)
    return was.uid === undefined ? [] : outdatedObject('existed when the plan was made but is gone');
  if (was.uid === undefined) {
    const by = firstWriter(live);
    return outdatedObject(
      `did not exist when the plan was made but does now${by === undefined ? '' : `: created by ${by}`}`,
      {
        by,
      },
    );
  }
  if (live.metadata.uid !== was.uid) return outdatedObject('was deleted and recreated since the plan was made');
  const [leftThen, leftNow] = [was.left ?? [], is.left ?? []];
  if (!equalJson(leftThen, leftNow))
    return outdatedObject(`has changed: other fields are left to others: ${leftNow.join(', ') || 'none'}`);
  const plain = fieldsText(is.fields);
  const shown: unknown = JSON.parse(fieldsText(shownFields(is.fields, mask)));
  // The file may hide more than is known to be secret now.
  const parts = hiddenIn(was.fields, JSON.parse(plain));
  const isDerived = equalJson(was.fields, shown) || parts !== undefined;
  const isEqual =
    plain === fieldsText(was.fields) || (was.proof !== undefined && (await isProved(plain, was.proof, parts)));
  if (isDerived && isEqual) {
    return newOwners(was, is.fields, live).flatMap(({ field, by }) =>
      outdatedObject(`has changed: ${field} is now managed by ${by}, but was not when the plan was made`, {
        field,
        by,
      }),
    );
  }
  const differences = fieldDifferences(was.fields, shown);
  if (differences.length > 0) {
    return differences.flatMap(({ path, parts, before, after }) => {
      const by = writersText(writersOf(live, parts));
      const change = `${valueText(before)} when the plan was made and is now ${valueText(after)}`;
      return outdatedObject(`has changed: ${path} was ${change}${by === undefined ? '' : `, by ${by}`}`, {
        field: path,
        by,
      });
    });
  }
  const { field, by } = secretChange(live, since);
  const where = field === undefined ? '' : `: ${field}`;
  return outdatedObject(`has changed secret data${where}${by === undefined ? '' : `, by ${by}`}`, { field, by });
}

/** A fix touches only what has drifted: the usual reason is that the plan has been applied already. */
const untouchedText = (action: SavedAction): string =>
  action === 'fix'
    ? 'no longer differs from the release; the plan may have been applied already'
    : 'is no longer among the objects that would be changed';

/** Managers that took fields since the plan was made: if their values are to change, the API server would report a conflict. */
function newOwners(
  { owners }: FoundObject,
  fields: unknown,
  live: KubernetesObject,
): readonly { readonly field: string; readonly by: string }[] {
  if (owners === undefined) return [];
  return [...fieldsByManager(live, fields)].flatMap(([manager, paths]) => {
    const known = new Set(owners[manager]);
    const last = managedOf(live).findLast((one) => one.manager === manager);
    return paths
      .filter((path) => !known.has(path))
      .map((field) => ({ field, by: last === undefined ? manager : writerText(last) }));
  });
}

const longestValue = 60;

function valueText(value: unknown): string {
  if (value === undefined) return 'not set';
  const text = JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

const writerText = ({ manager, time }: FieldWriter): string => (time === undefined ? manager : `${manager} (${time})`);

const writersText = (writers: readonly FieldWriter[]): string | undefined =>
  writers[0] === undefined ? undefined : writerText(writers[0]);

interface Managed extends FieldWriter {
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

const managedOf = ({ metadata }: KubernetesObject): readonly Managed[] =>
  [...((metadata.managedFields ?? []) as readonly Managed[])].sort((a, b) => compareText(a.time ?? '', b.time ?? ''));

const firstWriter = (live: KubernetesObject): string | undefined => managedOf(live)[0] && writersText(managedOf(live));

/** Of values that are not shown, the server tells who wrote some since the plan was made, and under which keys. */
function secretChange(live: KubernetesObject, since: string): Pick<OutdatedPart, 'field' | 'by'> {
  const wholeSecond = wholeSeconds(since);
  const later = managedOf(live).filter(({ time = '' }) => time >= wholeSecond);
  const last = later.at(-1);
  if (last === undefined) return {};
  const data = (last.fieldsV1?.['f:data'] ?? {}) as Readonly<Record<string, unknown>>;
  const keys = Object.keys(data).filter((key) => key.startsWith('f:'));
  const field = keys.length === 0 ? undefined : keys.map((key) => `data.${key.slice(2)}`).join(', ');
  return { field, by: writerText(last) };
}
