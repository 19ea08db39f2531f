/** What is wrong in a chart's templates, values, schema or files. */
export type ChartFact =
  /** A template reads a field of a value that is not set, or is no map. */
  | {
      readonly code: 'value-missing' | 'value-not-a-map';
      readonly keys: readonly string[];
      readonly field?: string | undefined;
    }
  | { readonly code: 'value-not-a-list'; readonly keys: readonly string[] };
