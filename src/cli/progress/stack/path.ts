import { type CriticalNode, criticalNodes } from '../../../stack/critical-path.ts';
import { seconds } from '../words.ts';
import type { ReleaseState, SlowPart, StackModel } from './model.ts';

/** A release of the critical path. */
export interface SlowRelease {
  readonly id: string;
  /** Milliseconds since the run began. */
  readonly startMs: number;
  readonly endMs: number;
  /** How long it could have begun and had no place (`--concurrency`). */
  readonly waitedMs: number;
  /** What it waited for itself, one after another. */
  readonly parts: readonly SlowPart[];
}

/** The releases whose times add up to the whole run. */
export function slowReleases({ releases }: StackModel): readonly SlowRelease[] {
  const ended = releases.flatMap((release) =>
    release.changed === undefined ? [] : [{ ...release, ...release.changed }],
  );
  return criticalNodes(ended).map(({ node, waitedMs }: CriticalNode<ReleaseState & Times>) => ({
    id: node.id,
    startMs: node.startMs,
    endMs: node.endMs,
    waitedMs,
    parts: node.slowParts,
  }));
}

type Times = { readonly startMs: number; readonly endMs: number };

const mostParts = 3;
/** A part that took less of its release's time is not told, nor one that took less than can be read. */
const leastShare = 0.05;
const leastPartMs = 100;
/** What a release waits less for a place is the machine's own unrest. */
const leastWaitMs = 100;

/** `critical path: 1m02s`, and a line for each release; nothing where nothing was changed. */
export function slowReleaseLines(model: StackModel): readonly string[] {
  const path = slowReleases(model);
  const last = path.at(-1);
  if (last === undefined || model.releases.every(({ isChanged }) => !isChanged)) return [];
  return [`critical path: ${seconds(last.endMs)}`, ...path.map(releaseLine)];
}

/** `  12.3s  shop/web: Job/migrate (pre-upgrade hook) 8.0s, Deployment/web 4.1s; waited 2.0s for a place` */
export function releaseLine({ id, startMs, endMs, waitedMs, parts }: SlowRelease): string {
  const took = endMs - startMs;
  const most = [...parts]
    .filter((part) => lengthOf(part) >= Math.max(took * leastShare, leastPartMs))
    .sort((a, b) => lengthOf(b) - lengthOf(a))
    .slice(0, mostParts);
  const partTexts = parts.filter((part) => most.includes(part)).map(partText);
  const waited = waitedMs < leastWaitMs ? [] : [`waited ${seconds(waitedMs)} for a free slot (--concurrency)`];
  const why = [partTexts.join(', '), ...waited].filter((text) => text !== '').join('; ');
  return `${seconds(took).padStart(9)}  ${id}${why === '' ? '' : `: ${why}`}`;
}

const lengthOf = ({ startMs, endMs }: SlowPart): number => endMs - startMs;

const partText = (part: SlowPart): string =>
  `${part.resource}${part.place === '' ? '' : ` (${part.place})`} ${seconds(lengthOf(part))}`;
