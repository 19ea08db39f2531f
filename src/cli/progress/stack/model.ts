import { criticalPath } from '../../../actions/rehearsal/critical-path.ts';
import { RunRecord } from '../../../actions/rehearsal/run-record.ts';
import type { ExecutionEvent } from '../../../execute/events.ts';
import type { Plan } from '../../../plan/types.ts';
import type { ReleaseOfRun } from '../../../stack/work/progress.ts';
import { RunModel } from '../model.ts';
import type { Outcome } from '../reporter.ts';

/** An object that a release waited for. */
export interface SlowPart {
  readonly resource: string;
  /** `database`, `queue of shop`: the chart or group it is in; '' in the outermost one. */
  readonly place: string;
  /** Milliseconds since the run of the stack began. */
  readonly startMs: number;
  readonly endMs: number;
}

export interface ReleaseState extends ReleaseOfRun {
  state: 'pending' | 'active' | 'done' | 'failed' | 'left out';
  /** What was done with it, why it failed or was left out; '' before. */
  text: string;
  /** Whether something of it was changed. */
  isChanged: boolean;
  startedMs: number | undefined;
  endedMs: number | undefined;
  /** Whether a failure of the run made it go back, or is about to: its text and times are those of that. */
  isPutBack: boolean;
  /** When it was changed, in milliseconds since the run of the stack began; known when that has ended. */
  changed: { readonly startMs: number; readonly endMs: number } | undefined;
  /** While it is worked on. */
  run: RunModel | undefined;
  /** What it waited for, one after another; known when it has ended. */
  slowParts: readonly SlowPart[];
}

/** What is known of a run over many releases. Of a release that has ended, only what tells of the whole is kept. */
export class StackModel {
  readonly command: string;
  readonly startedMs: number;
  readonly releases: readonly ReleaseState[];
  endedMs: number | undefined;
  readonly #byId: ReadonlyMap<string, ReleaseState>;
  readonly #records = new Map<string, RunRecord>();
  readonly #nowMs: () => number;

  constructor(command: string, releases: readonly ReleaseOfRun[], nowMs: () => number) {
    this.command = command;
    this.#nowMs = nowMs;
    this.startedMs = nowMs();
    this.releases = releases.map((release) => ({
      ...release,
      state: 'pending',
      text: '',
      isChanged: false,
      startedMs: undefined,
      endedMs: undefined,
      isPutBack: false,
      changed: undefined,
      run: undefined,
      slowParts: [],
    }));
    this.#byId = new Map(this.releases.map((release) => [release.id, release]));
  }

  of(id: string): ReleaseState | undefined {
    return this.#byId.get(id);
  }

  /** With `back`, the release is put back, and that is how. */
  begin(release: ReleaseState, back?: Plan['action']): RunModel {
    const { action, name, namespace, chart, id } = release;
    release.state = 'active';
    release.isPutBack = back !== undefined;
    release.startedMs = this.#nowMs();
    release.endedMs = undefined;
    release.run = new RunModel({ action: back ?? action, release: name, namespace, chart, id }, release.startedMs);
    this.#records.set(id, new RunRecord(this.#nowMs));
    return release.run;
  }

  take(event: ExecutionEvent, { id, run }: ReleaseState): void {
    run?.take(event, this.#nowMs());
    this.#records.get(id)?.onEvent(event);
  }

  end(release: ReleaseState, outcome: Outcome['kind'], text: string): void {
    const record = this.#records.get(release.id);
    this.#records.delete(release.id);
    if (outcome !== 'succeeded') record?.end();
    release.endedMs = this.#nowMs();
    release.state = outcome === 'succeeded' ? 'done' : 'failed';
    release.text = release.isPutBack && outcome !== 'succeeded' && text !== '' ? `rollback failed: ${text}` : text;
    if (!release.isPutBack) this.#noteChange(release, record, release.endedMs);
    release.run?.end(release.endedMs);
    release.run = undefined;
  }

  #noteChange(release: ReleaseState, record: RunRecord | undefined, endedMs: number): void {
    const startMs = (release.startedMs ?? this.startedMs) - this.startedMs;
    release.isChanged = (record?.steps.length ?? 0) > 0;
    release.changed = { startMs, endMs: endedMs - this.startedMs };
    release.slowParts = slowParts(record, startMs, release.isEager);
  }

  leaveOut(release: ReleaseState, why: string): void {
    release.state = 'left out';
    release.text = why;
  }
}

/** How many releases are how far; those that were put back are none of the others. */
export function stackCounts(releases: readonly ReleaseState[]) {
  const count = (state: ReleaseState['state'], isPutBack = false): number =>
    releases.filter((release) => release.state === state && release.isPutBack === isPutBack).length;
  return {
    done: count('done'),
    failed: count('failed') + count('failed', true),
    leftOut: count('left out'),
    putBack: count('done', true),
    atWork: count('active') + count('active', true),
  };
}

const slowParts = (record: RunRecord | undefined, beganMs: number, isEager: boolean): readonly SlowPart[] =>
  criticalPath(record?.steps ?? [], isEager).map(({ leaf, span }) => ({
    resource: leaf.name,
    place: leaf.place,
    startMs: beganMs + span.startMs,
    endMs: beganMs + span.endMs,
  }));
