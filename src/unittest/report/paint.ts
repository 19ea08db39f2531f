/** What is painted in a report, by its meaning. */
export interface ReportPaint {
  readonly passLabel: (text: string) => string;
  readonly failLabel: (text: string) => string;
  readonly skipLabel: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly dim: (text: string) => string;
}

const asItIs = (text: string): string => text;

export const noReportPaint: ReportPaint = {
  passLabel: asItIs,
  failLabel: asItIs,
  skipLabel: asItIs,
  bad: asItIs,
  warning: asItIs,
  strong: asItIs,
  dim: asItIs,
};
