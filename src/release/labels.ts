import { TshelmError } from '../support/errors.ts';

/** The labels of a record that belong to Helm; a user's own labels must not use these names. */
const systemLabels = ['name', 'owner', 'status', 'version', 'createdAt', 'modifiedAt'] as const;

type Labels = Readonly<Record<string, string>>;

const isSystemLabel = (key: string): boolean => (systemLabels as readonly string[]).includes(key);

/** The labels that are not Helm's own. */
export const customLabels = (labels: Labels): Labels =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => !isSystemLabel(key)));

/** Errors: `reserved-label`, in the words of Helm's install and upgrade. */
export function refuseSystemLabels(labels: Labels): void {
  const reserved = Object.keys(labels).filter(isSystemLabel);
  if (reserved.length === 0) return;
  throw new TshelmError('reserved-label', {
    message: `user supplied labels contains system reserved label name. System labels: [${systemLabels.join(' ')}]`,
    details: { reserved },
  });
}

/** The new labels over the current ones; the value `null` removes a label (Helm's mergeCustomLabels). */
export function mergeLabels(current: Labels, wanted: Labels): Labels {
  return Object.fromEntries(Object.entries({ ...current, ...wanted }).filter(([, value]) => value !== 'null'));
}
