import { resolve } from 'node:path';
import type { OnEvent } from '../../execute/events.ts';
import type { StackNode } from '../../stack/plan-stack.ts';
import { whyLeftOut } from '../../stack/run-graph.ts';
import { messageOf } from '../../support/errors.ts';
import type { CliContext, Session } from '../context.ts';
import { openStackDisplay } from '../progress/open.ts';
import { type Outcome, quietReporter, type Reporter } from '../progress/reporter.ts';
import type { ProgressMode } from '../progress/request.ts';
import type { StackDisplay } from '../progress/stack/display.ts';
import { type ReleaseOfRun, type ReleaseState, StackModel } from '../progress/stack/model.ts';
import type { GlobalFlags } from '../settings.ts';
import { shownEvents } from '../shown-events.ts';
import type { StackCharts } from './charts.ts';

type ShownFlags = GlobalFlags & {
  readonly progress?: ProgressMode | undefined;
  readonly junit?: string | undefined;
  readonly quiet?: boolean | undefined;
};

/** Without the flag nothing but texts is shown. */
export async function openProgress(flags: ShownFlags, context: CliContext): Promise<StackProgress> {
  const request = { mode: flags.progress ?? 'none', isShown: flags.progress !== undefined, junit: flags.junit };
  const progress = new StackProgress(
    await openStackDisplay(request, context.settings(flags), context.io),
    context,
    flags,
  );
  context.show(progress.reporter);
  return progress;
}

/** Tells how the releases of a stack go. */
export class StackProgress {
  /** What sessions and the command as a whole tell with: of what is said of no release, and how it ends. */
  readonly reporter: Reporter;
  readonly #display: StackDisplay;
  readonly #context: CliContext;
  readonly #quiet: OnEvent;
  /** Tells what `--quiet` keeps away. */
  readonly note: (text: string) => void;
  #model: StackModel | undefined;
  readonly #onExit = (): void => {
    this.#display.close?.();
  };

  constructor(display: StackDisplay, context: CliContext, { quiet = false }: ShownFlags) {
    this.note = quiet ? () => undefined : this.tell;
    this.#display = display;
    this.#context = context;
    this.#quiet = quietReporter({ ...context.io.stderr, write: (text) => display.tell(text) }).onEvent;
    this.reporter = {
      onEvent: this.#quiet,
      followsLogs: false,
      begin: () => undefined,
      tell: this.tell,
      finish: (outcome) => this.finish(outcome),
      close: () => this.#close(),
    };
  }

  begin(command: string, releases: readonly ReleaseOfRun[]): void {
    this.#model = new StackModel(command, releases, () => this.#context.io.now().getTime());
    process.once('exit', this.#onExit);
    this.#display.begin?.(this.#model);
  }

  /** Shows what is done with a release; `work` gives back what that was. With `back`, it is put back that way. */
  async follow(id: string, work: () => Promise<string>, back?: ReleaseOfRun['action']): Promise<string> {
    const release = this.#model?.of(id);
    if (release === undefined) return work();
    this.#model?.begin(release, back);
    this.#display.open?.(release);
    try {
      const text = await work();
      this.#shut(release, { kind: 'succeeded', text });
      return text;
    } catch (failure) {
      const kind = this.#context.interruption().aborted ? 'interrupted' : 'failed';
      this.#shut(release, { kind, failure, text: this.#context.secrets.redact(messageOf(failure)) });
      throw failure;
    }
  }

  /** The session in which a release is worked on: what happens there is shown as the release's. */
  watched(id: string, session: Session): Session {
    const onEvent: OnEvent = (event) => {
      const release = this.#model?.of(id);
      if (release?.run === undefined) return this.#quiet(event);
      this.#model?.take(event, release);
      this.#display.show?.(event, release);
      return undefined;
    };
    return { ...session, onEvent: shownEvents(onEvent, this.#context.secrets) };
  }

  /** A release is not begun: `because` is the one that failed, undefined where the run was ended. */
  leaveOut(id: string, because: string | undefined): void {
    const release = this.#model?.of(id);
    if (release === undefined) return;
    this.#model?.leaveOut(release, whyLeftOut(because));
    this.#display.leaveOut?.(release);
  }

  readonly tell = (text: string): void => {
    this.#display.tell(this.#context.secrets.redact(`${text.replace(/\n$/, '')}\n`));
  };

  /** Ends the run that was begun. Tells whether a failure needs no further words. */
  finish(outcome: Outcome = { kind: 'succeeded' }): boolean {
    const model = this.#model;
    if (model === undefined || model.endedMs !== undefined) return false;
    model.endedMs = this.#context.io.now().getTime();
    return this.#display.end?.(model, outcome) ?? false;
  }

  #shut(release: ReleaseState, outcome: Outcome): void {
    const { run } = release;
    this.#model?.end(release, outcome.kind, outcome.text ?? '');
    if (run !== undefined) this.#display.shut?.(release, run, outcome);
  }

  #close(): void {
    process.off('exit', this.#onExit);
    this.#display.close?.();
  }
}

/** Nodes of a graph as they are introduced. */
export const releasesOfRun = (
  nodes: readonly Pick<StackNode, 'id' | 'needs' | 'release' | 'file' | 'isWanted'>[],
  charts: StackCharts,
  { action, isEager = false }: Partial<Pick<ReleaseOfRun, 'action' | 'isEager'>> = {},
): readonly ReleaseOfRun[] =>
  nodes.map(({ id, needs, release, file, isWanted }) => {
    const { name = '', namespace = '' } = release;
    const folder = charts.folderOf(release, file);
    const chart = folder === undefined ? undefined : resolve(file.place.cwd, folder);
    return { id, needs, name, namespace, action: action ?? (isWanted ? 'upgrade' : 'uninstall'), isEager, chart };
  });
