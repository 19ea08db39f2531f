import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import type { Run } from '../context.ts';
import { retryOnConflict } from './on-conflict.ts';

const manager = 'helm';

interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly fieldsV1?: FieldSet;
  readonly [key: string]: unknown;
}

interface FieldSet {
  readonly [key: string]: FieldSet;
}

/**
 * Hands the fields that client-side apply wrote (manager helm, operation Update) to server-side apply (operation Apply),
 * so that a field which the new manifest lacks is removed and none conflicts with Helm itself
 * (csaupgrade.UpgradeManagedFieldsPatch).
 */
export async function upgradeFieldManager(id: ResourceId, run: Pick<Run, 'cluster' | 'signal'>): Promise<void> {
  await retryOnConflict(async () => {
    const live = await run.cluster.get(id, { signal: run.signal });
    const patch = live === undefined ? undefined : upgradePatch(live);
    if (patch === undefined) return;
    await run.cluster.patch(id, 'json', patch, { signal: run.signal, fieldManager: manager });
  }, run);
}

/** The JSON patch that does it, guarded by the resource version; undefined when nothing needs changing. */
export function upgradePatch(live: KubernetesObject): readonly object[] | undefined {
  const managed = (live.metadata.managedFields ?? []) as readonly ManagedFields[];
  const clientSide = managed.filter((entry) => isHelms(entry, 'Update'));
  if (clientSide.length === 0) return undefined;
  const value = upgradedFields(managed, clientSide);
  return [
    { op: 'replace', path: '/metadata/managedFields', value },
    { op: 'replace', path: '/metadata/resourceVersion', value: live.metadata.resourceVersion },
  ];
}

const isHelms = (entry: ManagedFields, operation: string): boolean =>
  entry.manager === manager && entry.operation === operation && (entry.subresource ?? '') === '';

function upgradedFields(
  managed: readonly ManagedFields[],
  clientSide: readonly ManagedFields[],
): readonly ManagedFields[] {
  const serverSide = managed.find((entry) => isHelms(entry, 'Apply'));
  const [base] = serverSide === undefined ? clientSide : [serverSide];
  const fieldsV1 = [...clientSide, ...(serverSide === undefined ? [] : [serverSide])]
    .map((entry) => entry.fieldsV1 ?? {})
    .reduce(unionOf, {});
  const merged: ManagedFields = { ...base, operation: 'Apply', fieldsV1 };
  const others = managed.filter((entry) => !clientSide.includes(entry) && entry !== serverSide);
  return [merged, ...others];
}

function unionOf(a: FieldSet, b: FieldSet): FieldSet {
  const merged: Record<string, FieldSet> = { ...a };
  for (const [key, value] of Object.entries(b))
    merged[key] = merged[key] === undefined ? value : unionOf(merged[key], value);
  return merged;
}
