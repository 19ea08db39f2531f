import type { ExecutionEvent } from '../../../execute/events.ts';
import type { RunModel } from '../model.ts';
import type { Outcome } from '../reporter.ts';
import type { ReleaseState, StackModel } from './model.ts';

/** One way of showing runs over many releases: on a terminal, as lines, as JSON. The model has taken everything already. */
export interface StackDisplay {
  begin?(model: StackModel): void;
  /** A release is being worked on. */
  open?(release: ReleaseState): void;
  show?(event: ExecutionEvent, release: ReleaseState): void;
  /** It is over. */
  endRelease?(release: ReleaseState, run: RunModel, outcome: Outcome): void;
  leaveOut?(release: ReleaseState): void;
  tell(text: string): void;
  /** Tells whether the failure needs no further words. */
  end?(model: StackModel, outcome: Outcome): boolean;
  close?(): void;
}
