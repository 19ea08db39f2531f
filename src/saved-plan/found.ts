import type { DecidedChange } from '../change/context.ts';
import type { Cluster } from '../cluster/types.ts';
import { findExisting } from '../execute/apply/existing.ts';
import { withoutOthers } from '../execute/apply/left-fields.ts';
import { withOwner } from '../execute/apply/ownership.ts';
import { declaredKinds, resolveServed, resolveTargets, type Target } from '../execute/apply/targets.ts';
import { defaultConcurrency } from '../execute/context.ts';
import { fieldDifferences } from '../manifest/field-differences.ts';
import { type FieldRule, rulesOf } from '../manifest/field-rules.ts';
import { fieldsByManager } from '../manifest/field-writers.ts';
import { objectKey } from '../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { withoutServerState } from '../manifest/without-server-state.ts';
import { manifestsOfSteps } from '../plan/arrange.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import { createLimiter } from '../support/concurrency.ts';
import { messageOf } from '../support/errors.ts';
import { addTo } from '../support/group-by.ts';
import { type Fields, isObject } from '../support/json.ts';
import { hiddenIn } from './hidden-parts.ts';
import { proofOf } from './proof.ts';
import type { Mask } from './secrets.ts';
import type { FoundObject } from './types.ts';

/** One object that a plan touches, and what is in the cluster now. */
export interface LiveObject {
  readonly id: ResourceId;
  readonly task: FoundObject['task'];
  readonly live: KubernetesObject | undefined;
  /** Of `live`, what the plan would change: with all secrets. */
  readonly fields: unknown;
  /** The paths of those that are left to others, and not among `fields`. */
  readonly left?: readonly string[] | undefined;
  /** Why no status has been received for it. */
  readonly problem?: string | undefined;
}

interface Where {
  readonly cluster: Cluster;
  readonly signal?: AbortSignal | undefined;
}

/** What a plan does with each of its objects, by key: the fields that it sets, or that were set before. */
export interface Samples {
  readonly tasks: readonly { readonly id: ResourceId; readonly task: FoundObject['task'] }[];
  readonly byKey: ReadonlyMap<string, readonly KubernetesObject[]>;
  /** What is left to others may change before the plan is applied. */
  readonly rules: readonly FieldRule[];
}

/** Hooks are left out: they are made anew when they run. */
export async function samplesOf(change: DecidedChange, { cluster, signal }: Where): Promise<Samples> {
  const { plan, release, replaced } = change;
  const where = { cluster, namespace: release.namespace, signal };
  const crds = manifestsOfSteps(plan, 'install-crds');
  const applied = manifestsOfSteps(plan, 'apply');
  const deleted = manifestsOfSteps(plan, 'delete');
  const hooks = plan.steps.flatMap((step) => (step.kind === 'run-hooks' ? step.batches.flat(2) : []));
  const declared = declaredKinds([...crds, ...applied], hooks);
  const owner = { release: release.name, namespace: release.namespace };
  const owned = (targets: readonly Target[]): readonly Target[] =>
    targets.map(({ id, object }) => ({ id, object: withOwner(object, owner) }));
  const [definitions, targets, gone, before] = await Promise.all([
    resolveTargets(crds, where, declared),
    resolveTargets(applied, where, declared),
    resolveServed(deleted, where),
    replaced === undefined ? [] : resolveServed(readStoredManifest(replaced.manifest), where),
  ]);
  const byKey = new Map<string, KubernetesObject[]>();
  for (const { id, object } of [...definitions, ...owned([...targets, ...gone, ...before])])
    addTo(byKey, objectKey(id), withoutServerState(object));
  const tasks = [
    ...[...definitions, ...targets].map(({ id }) => ({ id, task: 'apply' as const })),
    ...gone.map(({ id }) => ({ id, task: 'delete' as const })),
  ];
  const rules = change.execution?.fieldRules ?? [];
  return { tasks: tasks.filter(({ id }) => id.name !== ''), byKey, rules };
}

export function liveObject(
  id: ResourceId,
  task: FoundObject['task'],
  live: KubernetesObject | undefined,
  { byKey, rules }: Samples,
): LiveObject {
  if (live === undefined) return { id, task, live, fields: undefined };
  const samples = byKey.get(objectKey(id)) ?? [];
  const touched = (object: KubernetesObject): unknown => touchedFields(withoutServerState(object), samples);
  const own = rulesOf(id, rules);
  if (own.length === 0) return { id, task, live, fields: touched(live) };
  const fields = touched(withoutOthers(live, own));
  return { id, task, live, fields, left: fieldDifferences(touched(live), fields).map(({ path }) => path) };
}

/** What is in the cluster of all that a plan applies and deletes. */
export async function liveObjects(change: DecidedChange, { cluster, signal }: Where): Promise<readonly LiveObject[]> {
  const samples = await samplesOf(change, { cluster, signal });
  const ids = samples.tasks.map(({ id }) => id);
  const found = await findExisting(ids, { cluster, limit: createLimiter(defaultConcurrency), signal });
  return samples.tasks.map(({ id, task }) => {
    const failure = found.failures.find((one) => one.id === id);
    return {
      ...liveObject(id, task, found.objects.get(objectKey(id)), samples),
      problem: failure && messageOf(failure.cause),
    };
  });
}

/** The same as a saved plan keeps it. */
export const savedObjects = (objects: readonly LiveObject[], mask: Mask): Promise<readonly FoundObject[]> =>
  Promise.all(
    objects.map(async ({ id, task, live, fields, left = [] }): Promise<FoundObject> => {
      if (live === undefined) return { id, task };
      const shown = shownFields(fields, mask);
      const plain = fieldsText(fields);
      const isWhole = fieldsText(shown) === plain;
      return {
        id,
        task,
        uid: live.metadata.uid,
        fields: shown,
        owners: Object.fromEntries(fieldsByManager(live, fields)),
        ...(left.length > 0 && { left }),
        ...(isWhole ? {} : { proof: await proofOf(plain, hiddenIn(shown, JSON.parse(plain))) }),
      };
    }),
  );

export const shownFields = (fields: unknown, mask: Mask): unknown =>
  JSON.parse(fieldsText(mask.object(fields as KubernetesObject)));

/** One text for one state: keys in order, large integers as they are. */
export const fieldsText = (fields: unknown): string => JSON.stringify(sorted(fields));

function sorted(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted((value as Readonly<Record<string, unknown>>)[key])]));
}

/**
 * Of a live object, the fields that a change touches: those that one of the samples sets, the new manifest or the one
 * before it. Items of a list are told apart by their names; a list without them is touched as a whole.
 */
export function touchedFields(live: unknown, samples: readonly unknown[]): unknown {
  if (isObject(live)) {
    const inside = samples.filter(isObject);
    // Nothing is set inside: `{}` says that it is there.
    const keys = Object.keys(live).filter((key) => inside.some((sample) => key in sample));
    return Object.fromEntries(keys.map((key) => [key, touchedFields(live[key], valuesAt(inside, key))]));
  }
  if (isNamedList(live)) {
    const lists = samples.filter(isNamedList);
    if (lists.length === 0 || lists.length < samples.filter(Array.isArray).length) return live;
    return live.flatMap((item) => {
      const same = lists.flatMap((list) => list.filter(({ name }) => name === item.name));
      return same.length === 0 ? [] : [touchedFields(item, same)];
    });
  }
  return live;
}

const valuesAt = (samples: readonly Fields[], key: string): readonly unknown[] =>
  samples.flatMap((sample) => (key in sample ? [sample[key]] : []));

const isNamedList = (value: unknown): value is readonly (Fields & { readonly name: string })[] =>
  Array.isArray(value) && value.every((item) => isObject(item) && typeof item['name'] === 'string');
