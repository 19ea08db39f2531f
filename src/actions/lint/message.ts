import { messageOf } from '../../support/errors.ts';
import { comesFromStackOverflow } from '../../support/stack-overflow.ts';

/** How bad it is; an `error` fails the chart. */
export type Severity = 'info' | 'warning' | 'error';

/** What a rule found, and where: a file of the chart, or the chart's folder. */
export interface LintMessage {
  readonly severity: Severity;
  readonly path: string;
  readonly text: string;
  /** Only tshelm has this rule, so a warning does not fail the chart with `strict` either. */
  readonly isOwn?: boolean | undefined;
}

/** `[ERROR] Chart.yaml: name is required`, as support.Message prints itself. */
export const messageText = ({ severity, path, text }: LintMessage): string =>
  `[${severity.toUpperCase()}] ${path}: ${text}`;

/** What a failure says of the chart. A full stack says nothing of it: the command runs again with a larger one. */
export function failureText(cause: unknown): string {
  if (comesFromStackOverflow(cause)) throw cause;
  return messageOf(cause);
}

/** Collects the findings about one path; what is undefined is no finding. */
export class Findings {
  readonly messages: LintMessage[] = [];

  info(path: string, text: string | undefined): boolean {
    return this.add('info', path, text);
  }

  warning(path: string, text: string | undefined): boolean {
    return this.add('warning', path, text);
  }

  /** Says whether all is well. */
  error(path: string, text: string | undefined): boolean {
    return this.add('error', path, text);
  }

  /** What a task gives; undefined where it fails, which is an error about the path. */
  async tried<T>(path: string, task: () => T | Promise<T>, textOf = failureText): Promise<T | undefined> {
    try {
      return await task();
    } catch (cause) {
      this.error(path, textOf(cause));
      return undefined;
    }
  }

  private add(severity: Severity, path: string, text: string | undefined): boolean {
    if (text === undefined) return true;
    this.messages.push({ severity, path, text });
    return false;
  }
}
