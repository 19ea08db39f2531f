/** A run to be drawn against time. Times in milliseconds since its start. */
export interface Timeline {
  readonly title: string;
  readonly totalMs: number;
  /** In their order; what is in a row is below it, one level deeper. */
  readonly rows: readonly TimelineRow[];
  /** What follows below, each a heading and its lines. */
  readonly sections: readonly TimelineSection[];
}

export interface TimelineRow {
  readonly depth: number;
  readonly text: string;
  /** Undefined for a title, whose time is that of what is in it. */
  readonly span?: TimelineSpan | undefined;
  /** `0s–2m0s (2m0s, assumed)`; '' for a title. */
  readonly time: string;
  readonly isCritical: boolean;
}

export interface TimelineSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly state: 'done' | 'failed' | 'waiting';
}

export interface TimelineSection {
  readonly heading: string;
  readonly lines: readonly string[];
  readonly isFailure: boolean;
}
