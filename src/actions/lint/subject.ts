import type { Notify } from '../../chart/notice.ts';
import type { Chart } from '../../chart/types.ts';
import type { GoMap } from '../../go/value.ts';
import type { WaitMode } from '../../plan/types.ts';
import type { KubeVersion } from '../../render/kube-version.ts';
import type { LintMessage } from './message.ts';

/** What a rule looks at. */
export interface LintSubject {
  /** The chart's folder, absolute. */
  readonly directory: string;
  /** What the user gave with -f and --set. */
  readonly values: GoMap;
  readonly namespace: string;
  readonly kubeVersion?: KubeVersion | undefined;
  /** Does not check values against values.schema.json. Default false. */
  readonly skipSchemaValidation?: boolean | undefined;
  readonly downloadSchema?: ((url: string) => Promise<Uint8Array>) | undefined;
  /** `ordered` also checks the order of a chart that declares none. Default: only charts that declare one. */
  readonly wait?: WaitMode | undefined;
  /** Loads the chart once; fails with GoError or YamlError in Helm's words. What was noticed on the way is told each time. */
  readonly chart: (options?: { readonly isQuiet?: boolean }) => Promise<Chart>;
  readonly notify: Notify;
}

export type LintRule = (subject: LintSubject) => Promise<readonly LintMessage[]>;
