import { coalesceTables } from '../../chart/coalesce.ts';
import { deepCopy } from '../../chart/tables.ts';
import type { Chart } from '../../chart/types.ts';
import type { GoMap } from '../../go/value.ts';
import { computedValues } from '../../release/computed-values.ts';
import type { Release } from '../../release/types.ts';

export interface ValuesReuse {
  /** Keeps the values of the last revision, chart values included, under the new ones. Default false. */
  readonly reuseValues?: boolean | undefined;
  /** Forgets the values of the last revision. Default: they are kept where none are given. */
  readonly resetValues?: boolean | undefined;
  /** Takes the new chart's values, then the user's old ones, then the new ones. Default false. */
  readonly resetThenReuseValues?: boolean | undefined;
}

/** The chart and the user's values that an upgrade goes on with (Upgrade.reuseValues). Without options, no values mean the old ones. */
export function reusedValues(
  chart: Chart,
  values: GoMap,
  current: Release,
  options: ValuesReuse,
): { readonly chart: Chart; readonly values: GoMap } {
  if (options.resetValues) return { chart, values };
  if (options.reuseValues) {
    const merged = coalesceTables(deepCopy(values), deepCopy(current.config));
    return { chart: { ...chart, values: computedValues(current) }, values: merged };
  }
  if (options.resetThenReuseValues) {
    return { chart, values: coalesceTables(deepCopy(values), deepCopy(current.config)) };
  }
  return { chart, values: values.size === 0 && current.config.size > 0 ? current.config : values };
}
