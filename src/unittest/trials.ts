import type { CheckResult } from '../actions/check.ts';
import type { Rehearsal } from '../actions/rehearsal/rehearsal.ts';
import type { Chart } from '../chart/types.ts';
import { readYamlMap } from '../yaml/index.ts';
import type { Trials } from './assertions/assertion.ts';
import type { TestJob } from './suite/types.ts';

/** A chart with the values of a test, as YAML. */
export interface TriedChart {
  readonly chart: Chart;
  readonly values: string;
}

/** Each is found out once. */
export class ChartTrials implements Trials {
  private readonly test: TestJob;
  private readonly tried: TriedChart;
  private checked: Promise<CheckResult> | undefined;
  private rehearsed: Promise<Rehearsal> | undefined;

  constructor(test: TestJob, tried: TriedChart) {
    this.test = test;
    this.tried = tried;
  }

  check(): Promise<CheckResult> {
    this.checked ??= this.newCheck();
    return this.checked;
  }

  rehearsal(): Promise<Rehearsal> {
    this.rehearsed ??= this.newRehearsal();
    return this.rehearsed;
  }

  private async newCheck(): Promise<CheckResult> {
    const { check } = await import('../actions/check.ts');
    const { capabilities, release } = this.test;
    const { majorVersion, minorVersion, apiVersions } = capabilities;
    return check(this.tried.chart, readYamlMap(this.tried.values), {
      ...this.named(),
      isUpgrade: release.upgrade,
      kubeVersion: minorVersion === '' ? undefined : `${majorVersion || '1'}.${minorVersion}`,
      apiVersions,
    });
  }

  private async newRehearsal(): Promise<Rehearsal> {
    const { rehearse } = await import('../actions/rehearse.ts');
    const { name, namespace } = this.named();
    const change = {
      kind: 'install',
      chart: this.tried.chart,
      values: readYamlMap(this.tried.values),
      options: { name, wait: 'ordered' },
    } as const;
    const { rehearsal } = await rehearse(change, {
      namespace,
      rendering: {},
      start: new Date(),
      signal: new AbortController().signal,
      assumed: new Map(),
      isEager: false,
      rollbackOnFailure: false,
    });
    return rehearsal;
  }

  private named(): { readonly name: string; readonly namespace: string } {
    const { name, namespace } = this.test.release;
    return { name: name || 'release-name', namespace: namespace || 'default' };
  }
}
