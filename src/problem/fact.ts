import type { ChartFact } from './chart-fact.ts';
import type { RefusalFact } from './refusal-fact.ts';
import type { WorkloadFact } from './workload-fact.ts';

/**
 * Something that is so, with a code that is stable and documented (docs/problems.md). Three authors write them: what
 * became of the objects of a release, what the API server refused, and what is wrong in the chart and its values.
 */
export type Fact = WorkloadFact | RefusalFact | ChartFact;
