import { rehearsalData } from '../actions/rehearsal/data.ts';
import {
  executedReleases,
  isFailed,
  type RehearsedRelease,
  type StackRehearsal,
  segmentsOf,
  slowNodes,
  totalOf,
} from './rehearsed.ts';
import { stoppedBy } from './schedule.ts';

/** A rehearsal of a stack for programs; times in seconds since the run began, those of `run` since its release did. */
export function stackRehearsalData(whole: StackRehearsal) {
  const ran = executedReleases(whole);
  const nodes = whole.releases.map(({ node }) => node);
  return {
    status: whole.releases.some(isFailed) ? ('failed' as const) : ('succeeded' as const),
    seconds: totalOf(ran) / 1000,
    concurrency: whole.concurrency,
    releases: whole.releases.map((release) => ({
      id: release.node.id,
      needs: release.node.needs,
      ...whenData(release),
      stops: stoppedBy(release.node.id, nodes),
      ...(release.when.kind === 'ran' && { run: rehearsalData(release.rehearsal) }),
    })),
    criticalPath: slowNodes(ran).map(({ node, waitedMs }) => ({
      id: node.id,
      start: node.startMs / 1000,
      end: node.endMs / 1000,
      waited: waitedMs / 1000,
      resources: segmentsOf(node.release).map(({ leaf, span }) => ({
        resource: leaf.name,
        place: leaf.place,
        start: (node.startMs + span.startMs) / 1000,
        end: (node.startMs + span.endMs) / 1000,
      })),
    })),
  };
}

function whenData({ when, rehearsal }: RehearsedRelease) {
  if (when.kind === 'left out') return { status: 'left out' as const, because: when.because };
  const status = rehearsal.failure === undefined ? ('succeeded' as const) : ('failed' as const);
  return { status, start: when.startMs / 1000, end: when.endMs / 1000 };
}
