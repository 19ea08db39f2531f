import { fieldDifferences, keyOf, type PathPart } from '../../manifest/field-differences.ts';
import {
  type FieldRule,
  fitsItem,
  isOfManagers,
  isWithin,
  type RuleStep,
  readPath,
  stepsPast,
} from '../../manifest/field-rules.ts';
import { appliedFields, isInsideWhole, managersOf, ownPart } from '../../manifest/field-writers.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { withoutServerState } from '../../manifest/without-server-state.ts';
import { equalJson, isObject } from '../../support/json.ts';
import { ownerOf, withOwner } from './ownership.ts';

/** A field that the chart sets and that is not sent. */
export interface LeftField {
  readonly path: string;
  /** The rule that leaves it. */
  readonly rule: string;
  /** Who has it now. */
  readonly managers: readonly string[];
}

export interface SentObject {
  readonly object: KubernetesObject;
  readonly left: readonly LeftField[];
  /** Whether it has values of the live object, and must not be sent once that has changed. */
  readonly isFilled: boolean;
}

/**
 * A manifest without the fields that rules leave to others. `remove`: what Helm's manager does not have is left out, and
 * what it has keeps its live value, since server-side apply removes what its only owner no longer sends. `keep`: the live
 * value is sent, for a merge that is computed here. The last rule for a field decides.
 */
export function withoutLeft(
  object: KubernetesObject,
  live: KubernetesObject,
  rules: readonly FieldRule[],
  how: 'remove' | 'keep',
): SentObject {
  const other = withoutServerState(live);
  let sent: unknown = object;
  let isFilled = false;
  for (const rule of rules) {
    // What an earlier rule has left is sent as the chart has it.
    if (rule.action === 'take' || rule.action === 'fail')
      sent = overlaid({ sent, other: object }, rule.path, [], (field) => field.other);
    if (rule.action !== 'leave') continue;
    sent = overlaid({ sent, other }, rule.path, [], (field, parts) => {
      if (!isOfManagers(managersOf(live, parts), rule)) return field.sent;
      const kept = how === 'keep' ? field.other : keptValue(live, parts, field.other);
      if (kept !== undefined) isFilled = true;
      return kept;
    });
  }
  const result = ofSameRelease(named(sent as Partial<KubernetesObject>, object), object);
  return { object: result, left: leftFields(object, result, live, rules), isFilled };
}

/** An object without the fields that rules leave to others: what may change there at any time. */
export function withoutOthers(live: KubernetesObject, rules: readonly FieldRule[]): KubernetesObject {
  let rest: unknown = live;
  for (const rule of rules)
    rest = overlaid({ sent: rest, other: live }, rule.path, [], (field, parts) => {
      if (rule.action === 'take' || rule.action === 'fail') return field.other;
      return rule.action === 'leave' && isOfManagers(managersOf(live, parts), rule) ? undefined : field.sent;
    });
  return rest as KubernetesObject;
}

/** An object without the fields at these paths. */
export const withoutFields = (object: KubernetesObject, paths: readonly string[]): KubernetesObject =>
  paths.reduce<unknown>((rest, text) => {
    const path = readPath(text);
    return path === undefined ? rest : overlaid({ sent: rest, other: object }, path, [], () => undefined);
  }, object) as KubernetesObject;

/** The fields of a manifest that are sent with another value, or not at all. */
const leftFields = (
  object: KubernetesObject,
  sent: KubernetesObject,
  live: KubernetesObject,
  rules: readonly FieldRule[],
): readonly LeftField[] =>
  fieldDifferences(object, sent).flatMap(({ path, parts, before }) => {
    const rule = rules.findLast((one) => one.action === 'leave' && isWithin(parts, one.path));
    if (before === undefined || rule === undefined) return [];
    return [{ path, rule: rule.text, managers: managersOf(live, parts) }];
  });

/** With what says which object it is: a rule may leave all the rest. */
const named = (
  sent: Partial<KubernetesObject>,
  { apiVersion, kind, metadata: { name, namespace } }: KubernetesObject,
): KubernetesObject => ({
  ...sent,
  apiVersion,
  kind,
  metadata: { ...sent.metadata, name, ...(namespace !== undefined && { namespace }) },
});

/** With Helm's label and annotations, whatever the rules say of labels and annotations. */
function ofSameRelease(sent: KubernetesObject, object: KubernetesObject): KubernetesObject {
  const owner = ownerOf(object);
  return owner === undefined ? sent : withOwner(sent, owner);
}

const helmManager = 'helm';

/** What has to be sent of a live value, so that it stays. */
function keptValue(live: KubernetesObject, parts: readonly PathPart[], value: unknown): unknown {
  if (value === undefined) return undefined;
  const own = appliedFields(live, helmManager, parts);
  if (own !== undefined) return ownPart(value, own);
  return isInsideWhole(live, parts) ? value : undefined;
}

/** One place in what is sent, and in another state of the object; undefined where it is not there. */
interface Sides {
  readonly sent: unknown;
  readonly other: unknown;
}

type Choose = (field: Sides, parts: readonly PathPart[]) => unknown;

/** What is sent, with other values where a path leads. What the other state lacks around that, is new: it stays. */
function overlaid(sides: Sides, path: readonly RuleStep[], parts: readonly PathPart[], choose: Choose): unknown {
  if (path.length === 0) return choose(sides, parts);
  const { sent, other } = sides;
  if (isObject(other) && (sent === undefined || isObject(sent)))
    return overlaidMap({ sent, other }, path, parts, choose);
  if (Array.isArray(other) && (sent === undefined || Array.isArray(sent)))
    return overlaidList({ sent, other }, path, parts, choose);
  return sent;
}

type Fields = Readonly<Record<string, unknown>>;

function overlaidMap(
  { sent, other }: { readonly sent: Fields | undefined; readonly other: Fields },
  path: readonly RuleStep[],
  parts: readonly PathPart[],
  choose: Choose,
): unknown {
  let result = sent;
  for (const key of new Set([...Object.keys(sent ?? {}), ...Object.keys(other)])) {
    for (const further of stepsPast(key, path)) {
      const value = overlaid({ sent: result?.[key], other: other[key] }, further, [...parts, key], choose);
      if (value !== undefined) result = { ...result, [key]: value };
      else if (result !== undefined && key in result)
        result = Object.fromEntries(Object.entries(result).filter(([name]) => name !== key));
    }
  }
  return result;
}

function overlaidList(
  { sent: given, other }: { readonly sent: readonly unknown[] | undefined; readonly other: readonly unknown[] },
  [step, ...further]: readonly RuleStep[],
  parts: readonly PathPart[],
  choose: Choose,
): unknown {
  const sent = given ?? [];
  const key = keyOf(other, sent);
  const isSame = (a: unknown, b: unknown): boolean =>
    key === undefined ? false : isObject(a) && isObject(b) && equalJson(a[key], b[key]);
  const partnerOf = (item: unknown, index: number, list: readonly unknown[]): unknown =>
    key === undefined ? list[index] : list.find((one) => isSame(one, item));
  const partOf = (item: unknown, index: number): Exclude<PathPart, string> => ({
    label: key === undefined || !isObject(item) ? String(index) : `${key}=${String(item[key])}`,
    item,
  });
  const isMeant = (item: unknown, index: number): boolean => step !== undefined && fitsItem(partOf(item, index), step);
  const kept = sent.flatMap((item, index) => {
    if (!isMeant(item, index)) return [item];
    const sides = { sent: item, other: partnerOf(item, index, other) };
    const value = overlaid(sides, further, [...parts, partOf(item, index)], choose);
    return value === undefined ? [] : [value];
  });
  if (further.length > 0) return given === undefined ? undefined : kept;
  const added = other.flatMap((item, index) => {
    if (!isMeant(item, index) || partnerOf(item, index, sent) !== undefined) return [];
    const value = choose({ sent: undefined, other: item }, [...parts, partOf(item, index)]);
    return value === undefined ? [] : [value];
  });
  const all = [...kept, ...added];
  return given === undefined && all.length === 0 ? undefined : all;
}
