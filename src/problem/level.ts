import type { Problem, ProblemCode } from './problem.ts';

/**
 * How much a problem of a chart weighs before it is deployed. `error`: the chart does not render, or the API server
 * refuses the object. `warning`: the API server accepts it, and it will not work. `note`: it depends on the cluster.
 */
export type Level = 'error' | 'warning' | 'note';

/** From the heaviest to the lightest. */
export const levels: readonly Level[] = ['error', 'warning', 'note'];

export const levelOf = ({ cause }: Pick<Problem, 'cause'>): Level => {
  const isTaken =
    (cause.code === 'order-group-unknown' && cause.isIgnored) ||
    (cause.code === 'order-lost' && cause.late === undefined);
  const isLater = cause.code === 'policy-denied' && cause.isOfPods === true;
  return isTaken || isLater ? 'warning' : (others[cause.code] ?? 'error');
};

/** What is no error. */
const others: { readonly [Code in ProblemCode]?: Level } = {
  'value-unread': 'warning',
  'kind-not-checked': 'note',
  'cluster-silent': 'note',
  'namespace-missing': 'note',
  'kind-deprecated': 'warning',
  'field-deprecated': 'note',
  'field-inactive': 'warning',
  'policy-warned': 'warning',
  'policy-not-judged': 'note',
  'object-duplicate': 'warning',
  'key-twice': 'warning',
  'reference-outside': 'note',
  'reference-misspelt': 'warning',
  'key-missing': 'warning',
  'image-name-invalid': 'warning',
  'node-port-outside': 'warning',
  'memory-too-small': 'warning',
  'service-port-missing': 'warning',
  'probe-port-missing': 'warning',
  'target-port-missing': 'warning',
  'no-pod-selected': 'warning',
  'order-hazard': 'warning',
  'order-group-isolated': 'warning',
  'order-undeclared': 'warning',
  'order-edge-dropped': 'warning',
  'order-file-left-out': 'warning',
  'order-key-misplaced': 'warning',
  'order-key-unknown': 'warning',
  'order-field-dropped': 'warning',
  'hook-mode-unknown': 'warning',
  'hook-key-ignored': 'warning',
  'hook-word-unknown': 'warning',
  'hook-number-invalid': 'warning',
  'ignore-invalid': 'warning',
};
