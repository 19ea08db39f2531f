import type { KubernetesObject } from '../manifest/types.ts';
import { listAt, textAt } from '../support/fields.ts';

export { listAt, numberAt, textAt, valueAt } from '../support/fields.ts';

/** A condition of an object's status. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export const conditionsOf = (object: KubernetesObject): readonly Condition[] =>
  listAt(object, 'status', 'conditions').map((condition) => ({
    type: textAt(condition, '', 'type'),
    status: textAt(condition, '', 'status'),
    reason: textAt(condition, '', 'reason'),
    message: textAt(condition, '', 'message'),
  }));

/** `apps` of `apps/v1`; '' for the core group. */
export const groupOf = ({ apiVersion }: { readonly apiVersion: string }): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

/** `Deployment.apps`, `Pod`. */
export const groupKindOf = (of: { readonly apiVersion: string; readonly kind: string }): string =>
  groupOf(of) === '' ? of.kind : `${of.kind}.${groupOf(of)}`;
