import type { Paint } from '../terminal/paint.ts';

/** How a live tree is painted: colours, and marks that the terminal's character set has. */
export interface Style {
  readonly paint: Paint;
  readonly marks: Marks;
  /** The run has ended, and not well. */
  readonly isStill?: boolean;
}

export interface Marks {
  readonly spinner: readonly string[];
  readonly done: string;
  readonly failed: string;
  readonly pending: string;
  /** Sent, and not looked at any more before the run ended. */
  readonly applied: string;
  readonly bar: string;
  readonly ellipsis: string;
}

export const unicodeMarks: Marks = {
  spinner: [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'],
  done: '✓',
  failed: '✗',
  pending: '·',
  applied: '○',
  bar: '│',
  ellipsis: '…',
};

export const asciiMarks: Marks = {
  spinner: [...'|/-\\'],
  done: '+',
  failed: 'x',
  pending: '.',
  applied: 'o',
  bar: '|',
  ellipsis: '~',
};

/** For a run that has ended: what was waited for has failed. */
export const stillStyle = ({ paint, marks }: Style): Style => ({
  paint: { ...paint, busy: paint.bad },
  marks: { ...marks, spinner: [marks.failed] },
  isStill: true,
});
