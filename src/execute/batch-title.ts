/** Where an ordered run failed; `of` is 0 where there are no batches (with `eager`). */
export interface FailedBatch {
  readonly unit: string;
  readonly number: number;
  readonly of: number;
  readonly names: readonly string[];
}

/** A chart that starts everything at once has no batches to speak of. */
export function batchTitle({ unit, number, of, names }: FailedBatch): string {
  const named = names.join(', ');
  if (of === 0) return `${named} of ${unit}`;
  return of === 1 && named === unit ? `chart ${unit}` : `batch ${number} of ${of} of ${unit} (${named})`;
}
