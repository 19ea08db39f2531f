import type { ChartFact } from './chart-fact.ts';
import type { OrderFact } from './order-fact.ts';
import type { RefusalFact } from './refusal-fact.ts';
import type { ReleaseFact } from './release-fact.ts';
import type { VersionFact } from './version-fact.ts';
import type { WorkloadFact } from './workload-fact.ts';

/**
 * Something that is so, with a code that is stable and documented (docs/problems.md). It says
 * what became of an object of the release, what the API server refused, what is wrong in the chart, its values or its order,
 * what a version of Kubernetes does not have, or what does not fit together in a rendered release.
 */
export type Fact = WorkloadFact | RefusalFact | ChartFact | OrderFact | VersionFact | ReleaseFact;
