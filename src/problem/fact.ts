import type { ChartFact } from './chart-fact.ts';
import type { RefusalFact } from './refusal-fact.ts';
import type { ReleaseFact } from './release-fact.ts';
import type { WorkloadFact } from './workload-fact.ts';

/**
 * Something that is so, with a code that is stable and documented (docs/problems.md). They say what became of
 * the objects of a release, what the API server refused, what is wrong in the chart and its values, and what does not fit
 * together in a rendered release.
 */
export type Fact = WorkloadFact | RefusalFact | ChartFact | ReleaseFact;
