import type { Target } from '../../execute/apply/targets.ts';
import type { Level } from '../../problem/level.ts';
import type { Problem } from '../../problem/problem.ts';
import type { Ignored } from './ignored.ts';

export interface Finding {
  readonly level: Level;
  readonly problem: Problem;
  /** Where several versions were asked about: those in which it is found, if it is not found in all: `1.34`. */
  readonly versions?: readonly string[] | undefined;
}

export interface CheckResult {
  /** False where the chart cannot be rendered: the findings say why. */
  readonly isRendered: boolean;
  /** What was looked at, hooks too. */
  readonly objects: readonly Pick<Target, 'id' | 'source'>[];
  /** The heaviest first. */
  readonly findings: readonly Finding[];
  readonly ignored: readonly Ignored[];
  /** What Helm logs while it renders, and which versions of Kubernetes are not known. */
  readonly warnings: readonly string[];
}
