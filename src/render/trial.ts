import type { Chart } from '../chart/types.ts';
import type { GoMap } from '../go/value.ts';

/** A chart that does not render, and what may be tried with it. */
export interface Trial {
  readonly chart: Chart;
  readonly values: GoMap;
  /** Whether the whole chart renders with these values; false once the time is up. */
  readonly succeedsWith: (values: GoMap) => boolean;
}
