import { headlineChanges } from '../actions/comparison/headlines.ts';
import type { Change, ObjectDiff } from '../actions/comparison/object-diff.ts';
import type { ReleaseReview, ReviewedObject } from '../actions/comparison/review.ts';
import { withoutFields } from '../execute/apply/left-fields.ts';
import { withOwner } from '../execute/apply/ownership.ts';
import { isSameQuantity } from '../go/quantity.ts';
import { type FieldDifference, fieldDifferences } from '../manifest/field-differences.ts';
import { hasObject } from '../manifest/parse.ts';
import { idOf, isNamedAmong, objectKey } from '../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { withoutServerState } from '../manifest/without-server-state.ts';
import { manifestsOf } from '../plan/arrange.ts';
import { isProtected } from '../plan/keep.ts';
import { equalJson } from '../support/json.ts';
import { hidden } from '../support/known-words.ts';
import { writePlainYaml } from '../yaml/index.ts';
import { hiddenIn } from './hidden-parts.ts';
import { readPlan } from './steps.ts';
import type { FoundObject, SavedRelease } from './types.ts';

type Reviewed = Pick<SavedRelease, 'namespace' | 'name' | 'action' | 'plan' | 'texts' | 'found' | 'review' | 'options'>;

/**
 * The review of a saved change, with all that the change sends: what the file's own review does not show of it is added.
 * So nobody can write a review that hides a part of the plan. A review that shows everything stays as it is.
 */
export function completeReview(saved: Reviewed): ReleaseReview {
  const { review, found, action, options } = saved;
  const named = (options['replaceObjects'] ?? []) as readonly string[];
  const isReplaced = ({ id, task, uid }: FoundObject): boolean =>
    task !== 'delete' && uid !== undefined && isNamedAmong(id, named);
  const given = new Map(review.objects.map((object) => [objectKey(object.id), object]));
  const sent = sentObjects(saved);
  const completed = new Map(given);
  for (const one of found) {
    const key = objectKey(one.id);
    const shown = given.get(key);
    const object = complete(
      one,
      sentOf(one, sent.get(key)),
      shown,
      shown?.insteadOf && goneObject(shown.insteadOf, found),
    );
    if (isReplaced(one))
      completed.set(key, { id: one.id, diff: '', notes: [], replacedFor: [], ...object, change: 'changed' });
    else if (object !== undefined) completed.set(key, object);
  }
  const objects = [...completed.values()];
  const count = (change: Change): number => objects.filter((object) => object.change === change).length;
  const [added, changed, removed, kept] = [count('added'), count('changed'), count('removed'), count('kept')];
  return { ...review, action, objects, counts: { ...review.counts, added, changed, removed, kept } };
}

/** What a plan deletes, as it was found. */
const goneObject = (id: ResourceId, found: readonly FoundObject[]): KubernetesObject | undefined =>
  found
    .filter((one) => one.task === 'delete' && one.uid !== undefined && objectKey(one.id) === objectKey(id))
    .map(({ fields }) => withIdentity(fields, id))
    .at(0);

/** The objects of a plan that are applied, as its file shows them. */
function sentObjects({ plan, texts, name, namespace, found }: Reviewed): ReadonlyMap<string, KubernetesObject> {
  const { steps } = readPlan(plan, texts, []);
  const owner = { release: name, namespace };
  const objects = steps.flatMap((step) => {
    if (step.kind === 'install-crds') return step.manifests.filter(hasObject).map(({ object }) => object);
    if (step.kind !== 'apply') return [];
    return manifestsOf(step.unit)
      .filter(hasObject)
      .map(({ object }) => withOwner(object, owner));
  });
  const known = new Set(found.map(({ id }) => objectKey(id)));
  const keyOf = (object: KubernetesObject): string => {
    const id = idOf(object, namespace);
    return known.has(objectKey(id)) ? objectKey(id) : objectKey({ ...id, namespace: '' });
  };
  return new Map(objects.map((object) => [keyOf(object), withoutServerState(object)]));
}

/** What is left to others is not sent; that nothing else is left is seen when the plan is applied. */
const sentOf = ({ left = [] }: FoundObject, object: KubernetesObject | undefined): KubernetesObject | undefined =>
  object && withoutFields(object, left);

function complete(
  { id, task, uid, fields }: FoundObject,
  sent: KubernetesObject | undefined,
  given: ReviewedObject | undefined,
  predecessor: KubernetesObject | undefined,
): ReviewedObject | undefined {
  const before = uid === undefined ? undefined : withIdentity(fields, id);
  if (task === 'delete') return before && completeRemoval(id, before, given);
  if (sent === undefined) return given;
  const change = before === undefined ? 'added' : 'changed';
  const differences = fieldDifferences(before ?? predecessor, sent);
  const unseen = differences.flatMap((field) => unseenIn(given?.diff ?? '', field));
  const unnamed = given?.change === 'changed' ? unnamedIn(given.fields ?? [], differences) : [];
  const correction = trueHeadlines(given, differences);
  const isWhole = unseen.length === 0 && (before !== undefined || given?.change === change);
  if (isWhole && unnamed.length === 0 && correction === undefined) return given;
  const notes = [...new Set([...(given?.notes ?? []), ...unseen.map((text) => `sent, but not in the diff: ${text}`)])];
  return {
    id,
    diff: '',
    ...given,
    ...correction,
    change,
    notes,
    ...(given?.fields && { fields: [...given.fields, ...unnamed] }),
  };
}

/** The headlines that the change really makes; undefined where all of them are. */
function trueHeadlines(given: ReviewedObject | undefined, differences: readonly FieldDifference[]) {
  const real = headlineChanges(differences);
  const recorded = given?.headlines ?? [];
  const headlines = recorded.filter((one) => real.some((other) => equalJson(one, other)));
  return headlines.length === recorded.length ? undefined : { headlines };
}

/** The fields that are set to something else and that no path names, nor a part of them, nor what they are a part of. */
const unnamedIn = (named: readonly string[], differences: readonly FieldDifference[]): readonly string[] =>
  differences
    .filter(({ before, after }) => after !== undefined && !isSameQuantity(before, after) && saysMore(before, after))
    .map(({ path }) => path)
    .filter((path) => !named.some((one) => one.startsWith(path) || path.startsWith(one)));

function saysMore(before: unknown, after: unknown): boolean {
  const lines = new Set(linesOf(before, undefined));
  return linesOf(after, undefined).some((line) => !lines.has(line));
}

const withIdentity = (fields: unknown, { apiVersion, kind }: ResourceId): KubernetesObject =>
  ({ metadata: {}, ...(fields as object), apiVersion, kind }) as KubernetesObject;

function completeRemoval(
  id: ResourceId,
  before: KubernetesObject,
  given: ReviewedObject | undefined,
): ReviewedObject | undefined {
  if (given?.change === 'removed' || (given?.change === 'kept' && isProtected(before))) return given;
  return { id, diff: '', notes: [], ...given, change: 'removed' };
}

/** Hooks that the record gets and the review does not show, though they differ from those before; `hooks` of both, masked. */
export function unseenHooks({ hooks }: ReleaseReview, differing: readonly ObjectDiff[]): readonly ResourceId[] {
  const given = new Map(hooks.map((hook) => [objectKey(hook.id), hook]));
  return differing
    .filter(({ id, before, after }) => {
      const { diff = '', random = [] } = given.get(objectKey(id)) ?? {};
      const isShownAsRandom = (field: FieldDifference): boolean =>
        random.some(({ path, value }) => path === field.path && equalJson(value, field.after));
      return fieldDifferences(before, after).some(
        (field) => !isShownAsRandom(field) && unseenIn(diff, field).length > 0,
      );
    })
    .map(({ id }) => id);
}

/** What a change sets a field to, as far as no added line of a diff has it. */
function unseenIn(diff: string, { path, parts, before, after }: FieldDifference): readonly string[] {
  if (after === undefined || isSameQuantity(before, after)) return [];
  const lines = diff
    .split('\n')
    .filter((line) => line.startsWith('+'))
    .map(bareLine);
  const isSeen = (line: string): boolean => lines.some((one) => one === line || isPartly(one, line));
  const last = parts.at(-1);
  const expected = linesOf(after, typeof last === 'string' ? last : undefined);
  const kept = new Set(before === undefined ? [] : writePlainYaml(before).split('\n').map(bareLine));
  const missing = expected.filter((line) => !isSeen(line) && !kept.has(line));
  return missing.length === 0 ? [] : [`${path}: ${missing.join(' ')}`];
}

/** The lines in which YAML says a value, without those that only open a list, a map or a text of several lines. */
function linesOf(value: unknown, key: string | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => linesOf(item, undefined));
  // An empty map says nothing that the API server keeps.
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, item]) => linesOf(item, name));
  if (value === null) return [];
  const lines = writePlainYaml(key === undefined ? [value] : { [key]: value }).split('\n');
  const said = typeof value === 'string' && value.includes('\n') && lines.length > 2 ? lines.slice(1) : lines;
  return said.map(bareLine).filter((line) => line !== '');
}

/** A line of which a secret is hidden, and not all. */
const isPartly = (shown: string, line: string): boolean =>
  !shown.startsWith(hidden) && hiddenIn(shown, line) !== undefined;

/** A line without its place: its text. */
const bareLine = (line: string): string => line.replace(/^[+ ]?[\s-]*/, '');
