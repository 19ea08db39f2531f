import type { ApiFailure } from '../../../cluster/types.ts';
import { groupOf } from '../../../manifest/resource-id.ts';
import type { KubernetesObject } from '../../../manifest/types.ts';
import { immutableFields } from '../../../problem/foreign/api-status.ts';
import type { ReplaceRules } from '../../replace-rules.ts';
import { changesAt, fieldAt } from '../changed-fields.ts';
import type { Owner } from '../ownership.ts';
import type { Target } from '../targets.ts';
import { type Consent, consentFor } from './consent.ts';

/** An object that is deleted and created again. */
export interface Replacement {
  readonly how: Consent['how'];
  /** The fields that cannot be changed; [] where the object is replaced because the run names it. */
  readonly forcedBy: readonly string[];
}

/**
 * How an object is replaced; undefined where it is not. `refusal`: the server's answer to the change in place, if it was
 * tried.
 */
export function replacementFor(
  target: Pick<Target, 'id' | 'object'>,
  live: KubernetesObject,
  { refusal, owner, rules }: Asked,
): Replacement | undefined {
  const isForced = refusal !== undefined && immutableFields(refusal).length > 0;
  const consent = consentFor({ ...target, live, owner }, rules);
  if (consent === undefined || (!isForced && consent.when !== 'always')) return undefined;
  return { how: consent.how, forcedBy: isForced ? forcingFields(target, live, refusal) : [] };
}

interface Asked {
  readonly refusal: ApiFailure | undefined;
  readonly owner: Owner;
  readonly rules: ReplaceRules;
}

/** Fields of a StatefulSet's spec that can be changed: the API server refuses a change of any other one as one of `spec`. */
const changeable: ReadonlySet<string> = new Set([
  'minReadySeconds',
  'ordinals',
  'persistentVolumeClaimRetentionPolicy',
  'replicas',
  'revisionHistoryLimit',
  'template',
  'updateStrategy',
]);

/** Which fields of an object force its replacement: those that differ among what the server calls immutable. */
function forcingFields(
  { id, object }: Pick<Target, 'id' | 'object'>,
  live: KubernetesObject,
  refusal: ApiFailure,
): readonly string[] {
  const isStatefulSet = id.kind === 'StatefulSet' && groupOf(id.apiVersion) === 'apps';
  const isForcing = (path: string): boolean => !isStatefulSet || !changeable.has(path.split('.')[1] ?? '');
  return immutableFields(refusal).flatMap((field) => {
    const keys = field.split('.');
    const paths = changesAt(field, fieldAt(live, keys), fieldAt(object, keys)).map(({ path }) => path);
    const forcing = paths.filter(isForcing);
    return forcing.length === 0 ? [field] : forcing;
  });
}
