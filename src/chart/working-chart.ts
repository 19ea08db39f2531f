import type { GoMap } from '../go/value.ts';
import type { Chart, ChartMetadata, Dependency } from './types.ts';

export type WorkingDependency = { -readonly [K in keyof Dependency]: Dependency[K] };
type WorkingMetadata = Omit<ChartMetadata, 'name' | 'dependencies'> & {
  name: string;
  dependencies?: WorkingDependency[] | undefined;
};

/** A chart while its dependencies are processed: the parts that change are ours, the rest is the loaded chart's. */
export interface WorkingChart {
  readonly source: Chart;
  metadata: WorkingMetadata;
  values: GoMap;
  dependencies: WorkingChart[];
}

export const workingCopy = (source: Chart): WorkingChart => ({
  source,
  metadata: {
    ...source.metadata,
    dependencies: source.metadata.dependencies?.map((dependency) => ({ ...dependency })),
  },
  values: source.values,
  dependencies: source.dependencies.map(workingCopy),
});

export const asChart = ({ source, metadata, values, dependencies }: WorkingChart): Chart => ({
  ...source,
  metadata,
  values,
  dependencies: dependencies.map(asChart),
});
