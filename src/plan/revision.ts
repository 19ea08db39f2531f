import type { Hook } from '../manifest/types.ts';

/** What is read of a stored revision of a release to know its order. */
export interface Revision {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly version: number;
  readonly chart: {
    readonly metadata: {
      readonly name: string;
      readonly version: string;
      readonly annotations?: Readonly<Record<string, string>> | undefined;
      /** Those that are switched on: Helm records no others, and has made their aliases names. */
      readonly dependencies?: readonly { readonly name: string }[] | undefined;
    };
  };
  readonly manifest: string;
  readonly hooks: readonly Hook[];
  readonly labels: Readonly<Record<string, string>>;
  /** `Sequencing`, where the record has one that can be read. */
  readonly sequencing?: unknown;
}

/** Whether two revisions are of one chart, by its name and version. */
export const isSameChart = (a: Revision, b: Revision): boolean =>
  a.chart.metadata.name === b.chart.metadata.name && a.chart.metadata.version === b.chart.metadata.version;
