import type { Value } from '../../go/value.ts';

/** Which documents an assertion is about, by what is at a path. */
export interface DocumentSelector {
  readonly path: string;
  /** null for whatever is there. */
  readonly value: Value;
  readonly matchMany: boolean;
  readonly skipEmptyTemplates: boolean;
}
