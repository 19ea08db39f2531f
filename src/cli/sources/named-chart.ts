import type { OrderedChartAccess } from '../../actions/options/chart.ts';
import type { FlagsOf } from '../../change/option-rows.ts';
import type { ValueOptions } from '../../chart/value-options.ts';
import type { SecretWords } from '../../support/secret-words.ts';
import type { dependencyUpdateFlag, offlineFlag } from '../flags/source-flags.ts';
import type { GlobalFlags } from '../settings.ts';
import type { EnvironmentContext } from './helm-environment.ts';

export type SourceFlags = GlobalFlags &
  Partial<FlagsOf<typeof offlineFlag & typeof dependencyUpdateFlag>> & {
    /** Of stacks: whoever wrote their files may run no program. */
    readonly untrusted?: boolean | undefined;
  };

/** A chart as a command line names it. */
export interface NamedChart {
  readonly reference: string;
  readonly access: OrderedChartAccess;
  readonly flags: SourceFlags;
  /** Where Helm prints what it has pulled; default standard error. */
  readonly messageStream?: 'stdout' | 'stderr' | undefined;
}

/** A chart that a command line names, and the values that it gives. */
export interface ChartRequest extends NamedChart {
  readonly values: ValueOptions;
}

/** What downloads need of a command's context. */
export interface DownloadContext extends EnvironmentContext {
  readonly secrets: SecretWords;
  readonly signal: AbortSignal;
  readonly isSilent?: boolean;
}
