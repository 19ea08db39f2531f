/** A line of a file; counts from 1, absent where it is not known. */
export interface FileLine {
  readonly file: string;
  readonly line?: number | undefined;
}

/** `shop/Chart.yaml:12`, without a line where none is known. */
export const fileLineText = ({ file, line }: FileLine): string => (line === undefined ? file : `${file}:${line}`);
