import type { Branch, Progress, Row } from '../rows.ts';
import type { Style } from '../style.ts';
import { branchLines, lookOf, type Size, sums } from '../tree.ts';
import { seconds } from '../words.ts';
import { type ReleaseState, type StackModel, stackCounts } from './model.ts';

/**
 * The run of a stack at `nowMs`, in at most `size.rows` lines: a line on the whole of it, then the releases. Those that are
 * worked on are open and show what of them is not ready; failed ones come first, with the cause; all others are a line.
 */
export function stackTreeLines(model: StackModel, size: Size, nowMs: number, style: Style): string[] {
  const look = lookOf(size, nowMs, style);
  const head = `${style.paint.busy(look.spinner)} ${headText(model, nowMs, style)}`;
  return branchLines(head, worstFirst(model.releases).map(branchOf), look);
}

/** `apply 300 releases  12.3s  45/300 done, 2 failed, 12 left out, 8 at work` */
export function headText(
  { command, releases, startedMs }: StackModel,
  nowMs: number,
  { paint }: Pick<Style, 'paint'>,
): string {
  const { done, failed, leftOut, putBack, atWork } = stackCounts(releases);
  const others = Object.entries({ failed, 'left out': leftOut, 'rolled back': putBack, 'at work': atWork });
  const counts = [
    `${done}/${releases.length} done`,
    ...others.filter(([, count]) => count > 0).map(([word, count]) => `${count} ${word}`),
  ];
  const what = `${releases.length} ${releases.length === 1 ? 'release' : 'releases'}`;
  return `${command} ${what}  ${paint.dim(`${seconds(nowMs - startedMs)}  ${counts.join(', ')}`)}`;
}

/** What failed, what something is in the way of, then the others as the graph has them. */
function worstFirst(releases: readonly ReleaseState[]): readonly ReleaseState[] {
  const rank = (release: ReleaseState): number => (release.state === 'failed' ? 0 : hasCause(release) ? 1 : 2);
  return [...releases].sort((a, b) => rank(a) - rank(b));
}

const hasCause = ({ run }: ReleaseState): boolean => run?.rows.some(({ cause }) => cause !== '') ?? false;

function branchOf(release: ReleaseState): Branch {
  const { id, state, run, startedMs, endedMs } = release;
  const { total, done, failed } = run === undefined ? { total: 0, done: 0, failed: 0 } : sums(run);
  return {
    kind: 'release',
    title: id,
    parent: undefined,
    children: openParts(release),
    total,
    begun: done + failed,
    done,
    failed,
    startedMs,
    endedMs,
    progress: state satisfies Progress,
    note: state === 'failed' ? '' : (run?.current?.title ?? release.text),
    cause: state === 'failed' ? release.text : '',
  };
}

/** What its step works on, and what has failed of it. */
function openParts({ run }: ReleaseState): (Branch | Row)[] {
  const steps = run?.steps.filter((step) => step === run.current || step.failed > 0) ?? [];
  return steps.flatMap(({ children }) => children);
}
