import { compact, type JsonObject, textOf } from '../../support/json.ts';
import { type Kind, storageKey } from '../kinds/kind.ts';
import { type Metadata, type Resource, timestamp } from '../resource.ts';
import { conflict, forbidden, StatusError } from '../status.ts';
import { admitByPolicies } from './admission/by-policies.ts';
import type { Environment, ObjectPath } from './environment.ts';
import { getObject } from './read.ts';
import { isGone, removeObject } from './update.ts';

export interface DeleteOptions {
  readonly user?: string | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly preconditions?: JsonObject | undefined;
  readonly dryRun?: boolean | undefined;
  readonly warn?: ((text: string) => void) | undefined;
}

export interface Deleted {
  readonly object: Resource;
  /** Whether the object is gone already, and not only marked. */
  readonly gone: boolean;
}

const defaultPodGraceSeconds = 30;

/** DELETE of one object: gone at once, or marked with a deletionTimestamp until its finalizers and its grace are over. */
export function deleteObject(environment: Environment, path: ObjectPath, options: DeleteOptions): Deleted {
  const { kind, name } = path;
  const object = getObject(environment, path);
  checkPreconditions(kind, object, options.preconditions);
  if (kind.group === '' && kind.kind === 'Namespace' && protectedNamespaces.has(name)) {
    throw forbidden(kind, name, 'this namespace may not be deleted');
  }
  admitByPolicies(environment, { operation: 'DELETE', kind, object: undefined, oldObject: object }, options);
  const marked = mark(environment, kind, object, options);
  if (options.dryRun === true) return { object: marked, gone: isGone(kind, marked) };
  if (isGone(kind, marked)) return { object: removeObject(environment, kind, marked), gone: true };
  if (marked === object) return { object, gone: false };
  return { object: environment.store.put(storageKey(kind), marked), gone: false };
}

const protectedNamespaces = new Set(['default', 'kube-system', 'kube-public']);

function checkPreconditions(kind: Kind, object: Resource, preconditions: JsonObject | undefined): void {
  const { uid, resourceVersion, name } = object.metadata;
  const wantedUid = textOf(preconditions?.uid);
  const named = { group: '', plural: kind.kind, kind: kind.kind };
  if (wantedUid !== undefined && wantedUid !== uid) {
    const why = `the UID in the precondition (${wantedUid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflict(named, name, why);
  }
  const wantedVersion = textOf(preconditions?.resourceVersion);
  if (wantedVersion !== undefined && wantedVersion !== resourceVersion) {
    const why = `the ResourceVersion in the precondition (${wantedVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
    throw conflict(named, name, why);
  }
}

function mark({ clock }: Environment, kind: Kind, object: Resource, options: DeleteOptions): Resource {
  const { metadata } = object;
  const finalizers = finalizersFor(kind, metadata.finalizers ?? [], options);
  const grace = graceSeconds(kind, object, options);
  const already = metadata.deletionTimestamp !== undefined;
  if (
    already &&
    sameTexts(finalizers, metadata.finalizers ?? []) &&
    grace >= (metadata.deletionGracePeriodSeconds ?? 0)
  ) {
    return object;
  }
  const generation = metadata.generation === undefined || already ? metadata.generation : metadata.generation + 1;
  const marked = compact({
    ...metadata,
    finalizers: finalizers.length === 0 ? undefined : finalizers,
    generation,
    deletionTimestamp: already && grace > 0 ? metadata.deletionTimestamp : timestamp(clock.now() + grace * 1000),
    deletionGracePeriodSeconds: grace,
  }) as Metadata;
  return terminating(kind, { ...object, metadata: marked });
}

const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index]);

function terminating(kind: Kind, object: Resource): Resource {
  if (kind.group !== '' || kind.kind !== 'Namespace') return object;
  return { ...object, status: { ...(object.status as JsonObject | undefined), phase: 'Terminating' } };
}

function graceSeconds(kind: Kind, object: Resource, { gracePeriodSeconds }: DeleteOptions): number {
  if (kind.group !== '' || kind.kind !== 'Pod') return 0;
  const spec = object.spec as JsonObject | undefined;
  const phase = (object.status as JsonObject | undefined)?.phase;
  if (textOf(spec?.nodeName) === undefined || phase === 'Succeeded' || phase === 'Failed') return 0;
  const own = spec?.terminationGracePeriodSeconds;
  return gracePeriodSeconds ?? (typeof own === 'number' ? own : defaultPodGraceSeconds);
}

const orphanWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

function finalizersFor(kind: Kind, finalizers: readonly string[], options: DeleteOptions): string[] {
  const kept = finalizers.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion');
  switch (policyOf(kind, finalizers, options)) {
    case 'Orphan':
      return [...kept, 'orphan'];
    case 'Foreground':
      return [...kept, 'foregroundDeletion'];
    default:
      return kept;
  }
}

function policyOf(kind: Kind, finalizers: readonly string[], options: DeleteOptions): string {
  const { propagationPolicy, orphanDependents } = options;
  if (propagationPolicy !== undefined) {
    if (['Orphan', 'Foreground', 'Background'].includes(propagationPolicy)) return propagationPolicy;
    const problem = `Unsupported value: ${JSON.stringify(propagationPolicy)}: supported values: "Foreground", "Background", "Orphan", "nil"`;
    throw new StatusError(422, 'Invalid', `DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: ${problem}`, {
      group: 'meta.k8s.io',
      kind: 'DeleteOptions',
      causes: [{ reason: 'FieldValueNotSupported', message: problem, field: 'propagationPolicy' }],
    });
  }
  if (orphanDependents !== undefined) return orphanDependents ? 'Orphan' : 'Background';
  if (finalizers.includes('orphan')) return 'Orphan';
  if (finalizers.includes('foregroundDeletion')) return 'Foreground';
  if (kind.group !== 'batch' || kind.kind !== 'Job') return 'Background';
  options.warn?.(orphanWarning);
  return 'Orphan';
}
