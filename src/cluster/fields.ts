import { listOf, textOr } from '../manifest/fields.ts';
import type { WithConditions } from '../manifest/kubernetes.ts';

/** A condition of an object's status. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export const conditionsOf = (object: WithConditions): readonly Condition[] =>
  listOf(object.status?.conditions).map((condition) => ({
    type: textOr(condition.type, ''),
    status: textOr(condition.status, ''),
    reason: textOr(condition.reason, ''),
    message: textOr(condition.message, ''),
  }));

/** `apps` of `apps/v1`; '' for the core group. */
export const groupOf = ({ apiVersion }: { readonly apiVersion: string }): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

/** Labels as a selector: `app=web,tier=front`. */
export const labelSelectorOf = (labels: object): string =>
  Object.entries(labels)
    .map(([label, value]) => `${label}=${String(value)}`)
    .join(',');

/** `Deployment.apps`, `Pod`. */
export const groupKindOf = (of: { readonly apiVersion: string; readonly kind: string }): string =>
  groupOf(of) === '' ? of.kind : `${of.kind}.${groupOf(of)}`;
