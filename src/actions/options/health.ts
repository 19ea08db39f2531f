import type { FlagSpec } from '../../change/option-rows.ts';
import type { HealthCheck } from '../../cluster/health.ts';

/** For what waits until objects are ready. */
export interface HealthOptions {
  /**
   * How objects of other people's kinds are judged, by CEL, in the shape of Flux's `healthCheckExprs`. Not with the wait
   * `legacy`. Releases do not record them: a later call needs them again.
   */
  readonly health?: readonly HealthCheck[] | undefined;
}

/** The same in a file. */
export const healthFlag = {
  health: {
    type: 'string',
    placeholder: 'file',
    description:
      "judge whether objects are ready by the health checks in this file: CEL expressions in the shape of Flux's healthCheckExprs",
  },
} satisfies Record<string, FlagSpec>;
