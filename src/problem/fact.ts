import type { ChartFact } from './chart-fact.ts';
import type { RefusalFact } from './refusal-fact.ts';
import type { VersionFact } from './version-fact.ts';
import type { WorkloadFact } from './workload-fact.ts';

/**
 * Something that is so, with a code that is stable and documented (docs/problems.md). Four authors write them: what
 * became of the objects of a release, what the API server refused, what is wrong in the chart and its values, and what
 * versions of Kubernetes do not have.
 */
export type Fact = WorkloadFact | RefusalFact | ChartFact | VersionFact;
