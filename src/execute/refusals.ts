import type { ApiFailure } from '../cluster/types.ts';
import { groupOf } from '../manifest/resource-id.ts';
import type { ResourceId } from '../manifest/types.ts';

/** How the API server refused an object of the release: facts for decisions, without its sentences. */
export interface Refusal {
  readonly id: ResourceId;
  readonly status: number;
  readonly reason: string;
  readonly causes: readonly { readonly field?: string | undefined; readonly reason?: string | undefined }[];
}

export const refusalOf = (id: ResourceId, { status, reason, causes }: ApiFailure): Refusal => ({
  id,
  status,
  reason,
  causes: causes.map(({ field, reason }) => ({ field, reason })),
});

/** Whether an object was refused only because fields of it cannot be changed in place. */
export const isForbiddenUpdate = ({ id, status, reason, causes }: Refusal): boolean =>
  status === 422 &&
  reason === 'Invalid' &&
  causes.length > 0 &&
  causes.every(
    (cause) =>
      cause.reason === 'FieldValueForbidden' &&
      forbiddenUpdates[`${id.kind}.${groupOf(id.apiVersion)}`]?.includes(cause.field ?? ''),
  );

/** Fields that Kubernetes' validations forbid in an update alone: a new object with any value there is accepted. */
const forbiddenUpdates: Readonly<Record<string, readonly string[]>> = {
  'StatefulSet.apps': ['spec'],
  'StorageClass.storage.k8s.io': ['parameters', 'provisioner', 'reclaimPolicy'],
  'VolumeAttributesClass.storage.k8s.io': ['driverName', 'parameters'],
};
