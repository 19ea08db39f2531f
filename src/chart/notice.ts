/** Something Helm logs while it works on a chart: a line for standard error, never a failure. */
export interface ChartNotice {
  readonly level: 'INFO' | 'WARN' | 'ERROR';
  readonly message: string;
  /** What follows the message as `key=value`, in this order. */
  readonly attributes: Readonly<Record<string, string>>;
}

export type Notify = (notice: ChartNotice) => void;

export const info = (message: string, attributes: Readonly<Record<string, string>> = {}): ChartNotice => ({
  level: 'INFO',
  message,
  attributes,
});

export const warn = (message: string, attributes: Readonly<Record<string, string>> = {}): ChartNotice => ({
  level: 'WARN',
  message,
  attributes,
});

export const ignoreNotices: Notify = () => {};
