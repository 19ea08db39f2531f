import { coalesceValues } from '../chart/coalesce.ts';
import type { GoMap } from '../go/value.ts';
import type { Release } from './types.ts';

/** The chart's values under the user's own: what the templates saw. */
export const computedValues = ({ chart, config }: Release): GoMap =>
  coalesceValues({ ...chart, dependencies: [] }, config);
