import { shownEvents } from '../../change/shown-events.ts';
import type { OnEvent } from '../../execute/events.ts';
import { isOfObject } from '../../problem/problem.ts';
import { failureWithoutSecrets } from '../../session/failure-without-secrets.ts';
import { whyLeftOut } from '../../stack/run-graph.ts';
import type { Done, ReleaseOfRun, StackProgress } from '../../stack/work/progress.ts';
import type { StackSession } from '../../stack/work/session.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { trimSuffix } from '../../support/text.ts';
import { factText } from '../../words/fact.ts';
import { labelOf } from '../../words/problem.ts';
import type { CliContext } from '../context.ts';
import { onDisk } from '../errors/chart-file.ts';
import { errorText } from '../errors/error-text.ts';
import { knownProblems } from '../errors/problems-text.ts';
import { type Display, deliverAll } from '../progress/display.ts';
import { inFlags } from '../progress/in-flags.ts';
import { openDisplays } from '../progress/open.ts';
import { type Outcome, quietReporter, type Reporter } from '../progress/reporter.ts';
import type { ProgressMode } from '../progress/request.ts';
import { type ReleaseState, StackModel } from '../progress/stack/model.ts';
import type { GlobalFlags } from '../settings.ts';

type ShownFlags = GlobalFlags & {
  readonly progress?: ProgressMode | undefined;
  readonly junit?: string | undefined;
  readonly otel?: boolean | undefined;
  readonly quiet?: boolean | undefined;
};

/** Without the flag nothing but texts is shown. */
export async function openProgress(flags: ShownFlags, context: CliContext): Promise<ShownProgress> {
  const { progress: mode, junit, otel, quiet: isQuiet } = flags;
  const request = { mode: mode ?? 'none', isShown: mode !== undefined, junit, otel, isQuiet };
  const displays = await openDisplays(request, context.settings(flags), context.io);
  const progress = new ShownProgress(displays, context, flags);
  context.show(progress.reporter);
  return progress;
}

/** Shows how the releases of a stack go. */
export class ShownProgress implements StackProgress {
  /** What sessions and the command as a whole tell with: of what is said of no release, and how it ends. */
  readonly reporter: Reporter;
  readonly #displays: readonly Display[];
  readonly #context: CliContext;
  readonly #quiet: OnEvent;
  /** Tells what `--quiet` keeps away. */
  readonly note: (text: string) => void;
  #model: StackModel | undefined;
  readonly #onExit = (): void => {
    for (const display of this.#displays) display.close?.();
  };

  constructor(displays: readonly Display[], context: CliContext, { quiet = false }: ShownFlags) {
    this.note = quiet ? () => undefined : this.tell;
    this.#displays = displays;
    this.#context = context;
    this.#quiet = quietReporter({ ...context.io.stderr, write: (text) => this.#write(text) }).onEvent;
    this.reporter = {
      onEvent: this.#quiet,
      followsLogs: false,
      begin: () => undefined,
      tell: this.tell,
      finish: (outcome) => this.finish(outcome),
      deliver: () => deliverAll(this.#displays),
      close: () => this.#close(),
    };
  }

  begin(command: string, releases: readonly ReleaseOfRun[]): void {
    this.#model = new StackModel(command, releases, () => this.#context.io.now().getTime());
    process.once('exit', this.#onExit);
    for (const display of this.#displays) display.beginStack?.(this.#model);
  }

  async follow(id: string, work: () => Promise<Done>, back?: ReleaseOfRun['action']): Promise<Done> {
    const release = this.#model?.of(id);
    if (release === undefined) return work();
    const run = this.#model?.begin(release, back);
    if (run !== undefined) for (const display of this.#displays) display.begin?.(run);
    try {
      const done = await work();
      this.#shut(release, { kind: 'succeeded', text: done.text });
      return done;
    } catch (cause) {
      const kind = this.#context.signal.aborted ? 'interrupted' : 'failed';
      const failure = inChart(cause, release.chart);
      const { io, secrets } = this.#context;
      const text = secrets.redact(errorText(failure, onDisk(release.chart, io.cwd)));
      this.#shut(release, { kind, failure: failureWithoutSecrets(failure, secrets), text });
      throw failure;
    }
  }

  watched(id: string, session: StackSession): StackSession {
    const onEvent: OnEvent = (event) => {
      const release = this.#model?.of(id);
      if (release?.run === undefined) return this.#quiet(event);
      this.#model?.take(event, release);
      for (const display of this.#displays) display.show?.(event, release.run);
      return undefined;
    };
    return { ...session, onEvent: shownEvents(inFlags(onEvent), this.#context.secrets) };
  }

  leaveOut(id: string, because: string | undefined): void {
    const release = this.#model?.of(id);
    if (release === undefined) return;
    this.#model?.leaveOut(release, whyLeftOut(because));
    for (const display of this.#displays) display.leaveOut?.(release);
  }

  readonly tell = (text: string): void => {
    this.#write(this.#context.secrets.redact(`${trimSuffix(text, '\n')}\n`));
  };

  /** Ends the run that was begun. Tells whether a failure needs no further words. */
  finish(outcome: Outcome = { kind: 'succeeded' }): boolean {
    const model = this.#model;
    if (model === undefined || model.endedMs !== undefined) return false;
    model.endedMs = this.#context.io.now().getTime();
    return this.#displays.map((display) => display.endStack?.(model, outcome) ?? false).includes(true);
  }

  #write(text: string): void {
    for (const display of this.#displays) display.tell?.(text);
  }

  #shut(release: ReleaseState, outcome: Outcome): void {
    const { run } = release;
    const outcomeText =
      outcome.kind === 'succeeded' ? outcome.text : this.#context.secrets.redact(headOf(outcome.failure));
    this.#model?.end(release, outcome.kind, outcomeText ?? '');
    if (run !== undefined) for (const display of this.#displays) display.end?.(run, outcome);
  }

  #close(): void {
    process.off('exit', this.#onExit);
    this.#onExit();
  }
}

const inChart = (failure: unknown, chartFolder: string | undefined): unknown =>
  failure instanceof TshelmError ? failure.wrapped({ message: failure.message, details: { chartFolder } }) : failure;

/** A failure in one line: its first cause, and how many more there are. */
function headOf(failure: unknown): string {
  const [first, ...others] = knownProblems(failure).filter(isOfObject);
  if (first === undefined) return messageOf(failure);
  return `${labelOf(first)}: ${factText(first.cause)}${others.length === 0 ? '' : ` (and ${others.length} more)`}`;
}
