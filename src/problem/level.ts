import type { ProblemCode } from './problem.ts';

/**
 * How much a problem of a chart weighs before it is deployed. `error`: the chart does not render, or the API server
 * refuses the object. `warning`: the API server accepts it, and it will not work. `note`: it depends on the cluster.
 */
export type Level = 'error' | 'warning' | 'note';

/** From the heaviest to the lightest. */
export const levels: readonly Level[] = ['error', 'warning', 'note'];

export const levelOf = (code: ProblemCode): Level => others[code] ?? 'error';

/** What is no error. */
const others: { readonly [Code in ProblemCode]?: Level } = {
  'kind-not-checked': 'note',
  'object-duplicate': 'warning',
  'reference-outside': 'note',
  'reference-misspelt': 'warning',
  'key-missing': 'warning',
  'service-port-missing': 'warning',
  'probe-port-missing': 'warning',
  'target-port-missing': 'warning',
  'no-pod-selected': 'warning',
  'order-hazard': 'warning',
  'ignore-invalid': 'warning',
};
