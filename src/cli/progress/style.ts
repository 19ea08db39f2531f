/** How a live tree is painted: colours, and marks that the terminal's character set has. */
export interface Style {
  readonly paint: Paint;
  readonly marks: Marks;
  /** The run has ended, and not well. */
  readonly isStill?: boolean;
}

export interface Paint {
  busy(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  dim(text: string): string;
  /** A text in the colour of a pod. */
  pod(name: string, text: string): string;
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

const asItIs = (text: string): string => text;
export const noPaint: Paint = { busy: asItIs, good: asItIs, bad: asItIs, dim: asItIs, pod: (_name, text) => text };

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

/** Whether the locale's characters are UTF-8, by the variables in the order in which POSIX asks them. */
export function hasUnicode(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return /utf-?8/i.test(locale);
}

/** For a run that has ended: what was waited for has failed. */
export const stillStyle = ({ paint, marks }: Style): Style => ({
  paint: { ...paint, busy: paint.bad },
  marks: { ...marks, spinner: [marks.failed] },
  isStill: true,
});
