import type { HealthOptions } from '../actions/options/health.ts';
import { userRulesOf } from '../cluster/health.ts';
import type { UserRules } from '../cluster/readiness.ts';

/** The rules of the option `health`. Errors: `health-checks-invalid`. */
export const healthRulesOf = ({ health }: HealthOptions): UserRules | undefined =>
  health && userRulesOf(health, ([index, ...key]) => [`health[${index}]`, ...key].join('.'));
