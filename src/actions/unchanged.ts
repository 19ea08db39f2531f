import type { Context } from '../change/context.ts';
import { fieldRulesOf } from '../change/record/remembered-fields.ts';
import { findExisting } from '../execute/apply/existing.ts';
import { withoutLeft } from '../execute/apply/left-fields.ts';
import { withOwner } from '../execute/apply/ownership.ts';
import { resolveServed } from '../execute/apply/targets.ts';
import { isBeingDeleted } from '../execute/apply/terminating.ts';
import { defaultConcurrency } from '../execute/context.ts';
import type { PlanObject } from '../execute/plan-objects.ts';
import { isSameQuantity } from '../go/quantity.ts';
import { type FieldDifference, fieldDifferences } from '../manifest/field-differences.ts';
import { rulesOf } from '../manifest/field-rules.ts';
import { writersOf } from '../manifest/field-writers.ts';
import { itemsOf } from '../manifest/items.ts';
import { hasObject } from '../manifest/parse.ts';
import { idOf, objectKey } from '../manifest/resource-id.ts';
import type { KubernetesObject, Manifest, ResourceId } from '../manifest/types.ts';
import { withoutServerState } from '../manifest/without-server-state.ts';
import { manifestOfHook, manifestsOfSteps } from '../plan/arrange.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import type { Plan } from '../plan/types.ts';
import { hasSameSource, isSameRecord, isSameRelease } from '../release/same-release.ts';
import type { Release } from '../release/types.ts';
import { createLimiter } from '../support/concurrency.ts';

/**
 * Whether an upgrade would leave everything as it is: it would record what the deployed revision says, and each object in
 * the cluster has every field that its manifest sets. Only reads; where an object cannot be read, or is stored in another
 * way than it is written, the answer is no.
 */
export async function isUnchanged(
  current: Release,
  { release, plan }: { readonly release: Release; readonly plan: Plan },
  context: Context,
): Promise<boolean> {
  if (!isSameRecord(current, release)) return false;
  const manifests = manifestsOfSteps(plan, 'apply');
  const definitions = manifestsOfSteps(plan, 'install-crds');
  const owner = { release: release.name, namespace: release.namespace };
  const [own, shared] = await Promise.all([
    liveStates(manifests, release.namespace, context),
    liveStates(definitions, release.namespace, context),
  ]);
  const rules = fieldRulesOf(undefined, release);
  const withoutThoseOfOthers = ({ live, sent }: LiveState): KubernetesObject =>
    live === undefined ? sent : withoutLeft(sent, live, rulesOf(idOf(live), rules), 'keep').object;
  return (
    own.every((state) => hasFields(state.live, withOwner(withoutThoseOfOthers(state), owner))) &&
    shared.every(({ live, sent }) => hasFields(live, sent))
  );
}

/**
 * For people: what the chart renders otherwise than in the deployed revision, although it is the same chart with the same
 * values: random names and passwords, a time, the revision, what `lookup` finds. undefined where nothing is.
 */
export function renderedOtherwise(current: Release, next: Release): string | undefined {
  if (isSameRelease(current, next) || !hasSameSource(current, next)) return undefined;
  const before = new Map(objectsOf(current).map(({ object }) => [objectKey(idOf(object)), object]));
  const differing = objectsOf(next).flatMap(({ object, source }): readonly string[] => {
    const was = before.get(objectKey(idOf(object)));
    // Its name is made up anew for the upgrade, so this one would not be found.
    if (was === undefined) return [`a ${object.kind} of ${source} with another name`];
    const paths = fieldDifferences(was, object).map(({ path }) => path);
    return paths.length === 0 ? [] : [`${object.kind}/${object.metadata.name} (${paths.join(', ')})`];
  });
  const more = differing.length > mostNamed ? [`and ${differing.length - mostNamed} more`] : [];
  const named = [...differing.slice(0, mostNamed), ...more].join(', ');
  return `chart and values are the same, but what the chart renders of them is not: ${named || 'objects are missing'}`;
}

const mostNamed = 5;

const objectsOf = ({ manifest, hooks }: Release): readonly PlanObject[] =>
  [...readStoredManifest(manifest), ...hooks.map(manifestOfHook).filter(hasObject)].flatMap(({ object, source }) =>
    itemsOf(object).map((item) => ({ object: item, source })),
  );

interface LiveState {
  readonly live: KubernetesObject | undefined;
  readonly sent: KubernetesObject;
}

async function liveStates(
  manifests: readonly Manifest[],
  namespace: string,
  context: Context,
): Promise<readonly LiveState[]> {
  const cluster = await context.cluster();
  const { signal } = context;
  const targets = await resolveServed(manifests, { cluster, namespace, signal });
  const found = await findExisting(
    targets.map(({ id }) => id),
    { cluster, limit: createLimiter(defaultConcurrency), signal },
  );
  return targets.map(({ id, object }) => ({ live: found.objects.get(objectKey(id)), sent: placed(object, id) }));
}

/** The object with the namespace that the API server stores: none for what has none. */
function placed(object: KubernetesObject, { namespace }: ResourceId): KubernetesObject {
  const { namespace: _given, ...metadata } = object.metadata;
  return { ...object, metadata: namespace === '' ? metadata : { ...metadata, namespace } };
}

/** Whether a live object says what was sent, whatever else it says. */
const hasFields = (live: KubernetesObject | undefined, sent: KubernetesObject): boolean =>
  live !== undefined &&
  !isBeingDeleted(live) &&
  fieldDifferences(withoutServerState(live), withoutServerState(sent)).every(
    (field) => field.after === undefined || isSameQuantity(field.before, field.after) || isLeftOut(field, live),
  );

/**
 * Whether a field is missing only because the API server does not store what is empty. Zero and false it stores in some
 * fields: that they were sent, and that nobody has removed them since, is in the list of who manages what.
 */
function isLeftOut({ before, after, parts }: FieldDifference, live: KubernetesObject): boolean {
  if (isEmpty(before) && isEmpty(after)) return true;
  const isZero = after === false || after === 0 || after === '';
  return isZero && before === undefined && writersOf(live, parts).some(({ manager }) => manager === 'helm');
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
