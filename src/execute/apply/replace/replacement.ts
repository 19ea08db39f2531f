import type { ApiFailure } from '../../../cluster/types.ts';
import type { KubernetesObject } from '../../../manifest/types.ts';
import { immutableFields } from '../../../problem/foreign/api-status.ts';
import type { ReplaceRules } from '../../replace-rules.ts';
import { forcingFields } from '../immutable-fields.ts';
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
  return { how: consent.how, forcedBy: isForced ? forcingFields({ ...target, live }, refusal) : [] };
}

interface Asked {
  readonly refusal: ApiFailure | undefined;
  readonly owner: Owner;
  readonly rules: ReplaceRules;
}
