import type { OnEvent } from '../../execute/events.ts';
import type { Plan } from '../../plan/types.ts';
import { printable } from '../../support/printable.ts';
import { linesOf } from '../../support/text.ts';
import type { Output } from '../terminal/io.ts';
import { isOfPodLog, plainLine } from './words.ts';

export interface RunIntroduction {
  readonly action: Plan['action'];
  readonly release: string;
  readonly namespace: string;
  /** The chart as the user named it: a folder or an archive. */
  readonly chart?: string | undefined;
  /** What the graph of a stack calls the release. */
  readonly id?: string | undefined;
}

export type Outcome =
  /** `text`: what was done, where that is said of each release of several. */
  | { readonly kind: 'succeeded'; readonly text?: string | undefined }
  /** `text` is what is printed of the failure, all of it. */
  | { readonly kind: 'failed' | 'interrupted'; readonly failure: unknown; readonly text: string };

/** Tells how a command's runs go. */
export interface Reporter {
  readonly onEvent: OnEvent;
  /** Whether it shows what pods write while they are waited for. */
  readonly followsLogs: boolean;
  begin(run: RunIntroduction): void;
  /** Writes lines that belong on standard error as they are. */
  tell(text: string): void;
  /** Writes elsewhere on the same terminal: what is drawn there makes room. Without it nothing is drawn. */
  aside?(write: () => void): void;
  /** Ends the run that was begun, if it has not ended. Tells whether the failure needs no further words. */
  finish(outcome?: Outcome): boolean;
  /** Sends what others are told at the end; before `close`. */
  deliver?(): Promise<void>;
  /** Nothing more comes. */
  close(): void;
}

/** For `-o json`, where only the result counts, for dry runs and --progress=none: notes, warnings and the logs of hooks alone. */
export const quietReporter = (output: Output): Reporter => ({
  onEvent: (event) => {
    if (event.kind === 'warning' || event.kind === 'note') {
      const line = `${event.kind === 'warning' ? 'warning: ' : ''}${printable(event.text)}`;
      output.write(`${line}\n`, 'folded');
    } else if (isOfPodLog(event)) output.write(`${plainLine(event, '')}\n`);
    else if (event.kind === 'log') {
      const lines = linesOf(printable(event.text).trimEnd());
      output.write([`log of ${event.id.kind}/${event.id.name}:`, ...lines].join('\n           | ').concat('\n'));
    }
  },
  followsLogs: false,
  begin: () => undefined,
  tell: (text) => output.write(text),
  finish: () => false,
  close: () => undefined,
});
