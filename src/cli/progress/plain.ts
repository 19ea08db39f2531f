import type { ExecutionEvent } from '../../execute/events.ts';
import { objectKey } from '../../manifest/resource-id.ts';
import { groupBy } from '../../support/group-by.ts';
import type { Output } from '../terminal/io.ts';
import type { BuildMarks } from './build-marks.ts';
import type { Display } from './display.ts';
import type { RunModel } from './model.ts';
import type { Outcome } from './reporter.ts';
import { objectLabel } from './rows.ts';
import type { ReleaseState, StackModel } from './stack/model.ts';
import { slowReleaseLines } from './stack/path.ts';
import { WaitingLines } from './waiting.ts';
import { isOfPodLog, PlainLines, seconds } from './words.ts';

const heartbeatMs = 30_000;
/** What is over sooner is not told as waiting. */
const shortWaitMs = 1000;

/** What was said of a run. */
class SaidLines {
  readonly last = new Map<string, string>();
  /** Of each object, what was said of why it is waited for. */
  readonly waits = new Set<string>();
  readonly lines = new PlainLines();
  readonly waiting = new WaitingLines();
  /** By object: a line that is told if the object still waits then. */
  readonly held = new Map<string, HeldLine>();
  readonly counts = new ChangeCounts();
  heartbeat: NodeJS.Timeout | undefined;
}

type ObjectEvent = Extract<ExecutionEvent, { kind: 'resource' | 'hook' }>;

interface HeldLine {
  tell: () => void;
  readonly timer: NodeJS.Timeout;
}

/** What the end says of the states in which objects were applied or deleted. */
const countWords = {
  created: 'created',
  configured: 'changed',
  replaced: 'replaced',
  deleted: 'deleted',
  unchanged: 'unchanged',
} as const;

/** How many objects a run changed, and how many it found as they should be. */
class ChangeCounts {
  readonly #last = new Map<unknown, string>();

  /** What was deleted and is created after that was replaced; what is rendered twice is created and changed. */
  take(event: ExecutionEvent): void {
    if (event.kind !== 'resource' || !(event.state in countWords)) return;
    // With generateName each is an object of its own.
    const key = event.id.name === '' ? event : objectKey(event.id);
    const before = this.#last.get(key);
    if (event.state === 'created' && before === 'deleted') this.#last.set(key, 'replaced');
    else if (event.state === 'deleted' || before === undefined || before === 'unchanged')
      this.#last.set(key, event.state);
  }

  /** `1 changed, 114 unchanged`; undefined where nothing was left out of the lines. */
  get text(): string | undefined {
    const groups = groupBy([...this.#last.values()], (state) => state);
    if (!groups.has('unchanged')) return undefined;
    return Object.entries(countWords)
      .flatMap(([state, word]) => (groups.has(state) ? [`${groups.get(state)?.length} ${word}`] : []))
      .join(', ');
  }
}

/**
 * One line for each change, for pipes and build logs; every 30 seconds one that tells what is waited for. What stays as it
 * is is only counted, and what waits for less than a second is not said to wait; `isVerbose` tells both. The lines of a
 * stack name their release, and each release that is over has one more.
 */
export class PlainDisplay implements Display {
  readonly #output: Output;
  readonly #nowMs: () => number;
  readonly #marks: BuildMarks | undefined;
  readonly #isVerbose: boolean;
  /** By the release's id in a stack. */
  readonly #said = new Map<string | undefined, SaidLines>([[undefined, new SaidLines()]]);
  #stack: StackModel | undefined;
  #ended = 0;

  constructor(
    output: Output,
    nowMs: () => number,
    { marks, isVerbose = false }: { readonly marks?: BuildMarks | undefined; readonly isVerbose?: boolean } = {},
  ) {
    this.#output = output;
    this.#nowMs = nowMs;
    this.#marks = marks;
    this.#isVerbose = isVerbose;
  }

  beginStack(stack: StackModel): void {
    this.#stack = stack;
  }

  begin(model: RunModel): void {
    const said = new SaidLines();
    said.heartbeat = setInterval(() => this.#beat(model, said), heartbeatMs).unref();
    this.#said.set(model.id, said);
  }

  show(event: ExecutionEvent, model: RunModel | undefined): void {
    const said = this.#said.get(model?.id);
    const text = said?.lines.of(event, model?.namespace ?? '');
    if (said === undefined || text === undefined) return;
    said.counts.take(event);
    if (event.kind === 'resource' || event.kind === 'hook') return this.#showObject(event, text, said, model);
    // Releases that go on side by side cannot be folded away.
    if (event.kind === 'step-started' && this.#stack === undefined)
      this.#mark(this.#marks?.openGroup(text, this.#nowMs()));
    const line = this.#timed(text, model);
    const marked = event.kind === 'log' || isOfPodLog(event) ? this.#marks?.foreign(line) : undefined;
    if (marked === undefined) this.#write(line);
    else this.#mark(marked);
  }

  /**
   * The same news of an object, twice in a row, are reported once; a change of its counts alone is in its reason. Why it is
   * waited for is reported once, however often that comes and goes.
   */
  #showObject(event: ObjectEvent, text: string, said: SaidLines, model: RunModel | undefined): void {
    const object = objectLabel(event.id, model?.namespace ?? '');
    if (event.state !== 'waiting') {
      clearTimeout(said.held.get(object)?.timer);
      said.held.delete(object);
    }
    if (said.last.get(object) === text || (event.state === 'waiting' && said.waits.has(text))) return;
    const tell = (): void => {
      said.last.set(object, text);
      if (event.state === 'waiting') said.waits.add(text);
      this.#write(this.#timed(text, model));
    };
    if (this.#isVerbose) return tell();
    if (event.state === 'waiting') return this.#hold(said, object, tell);
    if (event.state !== 'unchanged' && event.state !== 'absent') tell();
  }

  /** Tells the line in a second, unless something else is told of the object before. */
  #hold(said: SaidLines, object: string, tell: () => void): void {
    const held = said.held.get(object);
    if (held !== undefined) held.tell = tell;
    else {
      const timer = setTimeout(() => {
        const due = said.held.get(object);
        said.held.delete(object);
        due?.tell();
      }, shortWaitMs).unref();
      said.held.set(object, { tell, timer });
    }
  }

  tell(text: string): void {
    this.#write(text);
  }

  end(model: RunModel, outcome: Outcome): boolean {
    const said = this.#said.get(model.id);
    clearInterval(said?.heartbeat);
    for (const { timer } of said?.held.values() ?? []) clearTimeout(timer);
    const counts = this.#isVerbose ? undefined : said?.counts.text;
    if (counts !== undefined) this.#write(this.#timed(counts, model));
    const release = model.id === undefined ? undefined : this.#stack?.of(model.id);
    if (release === undefined) this.#mark(this.#marks?.closeGroup(this.#nowMs()));
    this.#mark(this.#marks?.failures(model, outcome));
    if (release === undefined) this.#mark(this.#marks?.end());
    else this.#tellEnd(release, outcome);
    return false;
  }

  endStack(stack: StackModel): boolean {
    for (const line of slowReleaseLines(stack)) this.tell(`${line}\n`);
    this.#mark(this.#marks?.end());
    return false;
  }

  close(): void {
    for (const { heartbeat } of this.#said.values()) clearInterval(heartbeat);
    this.#mark(this.#marks?.close());
  }

  #tellEnd(release: ReleaseState, { kind }: Outcome): void {
    const { id, isPutBack, startedMs = 0, endedMs = 0 } = release;
    if (!isPutBack) this.#ended += 1;
    const count = isPutBack ? '' : `[${this.#ended}/${this.#stack?.releases.length}] `;
    const result = `${isPutBack || kind === 'succeeded' ? '' : 'failed: '}${release.text.split('\n')[0]}`;
    this.tell(`${count}${id}: ${result} (${((endedMs - startedMs) / 1000).toFixed(1)} s)\n`);
  }

  #beat(model: RunModel, { waiting }: SaidLines): void {
    const text = waiting.next(model, this.#nowMs());
    if (text !== undefined) this.#write(this.#timed(text, model));
  }

  #timed(text: string, model: RunModel | undefined): string {
    const now = this.#nowMs();
    const time = seconds(now - (this.#stack ?? model ?? { startedMs: now }).startedMs).padStart(7);
    return `${time}  ${model?.id === undefined ? '' : `${model.id}: `}${text}\n`;
  }

  #write(text: string): void {
    if (text !== '') this.#output.write(text);
  }

  #mark(text: string | undefined): void {
    if (text !== undefined && text !== '') this.#output.write(text, 'control');
  }
}
