import { resolve } from 'node:path';
import type { Plan } from '../../plan/types.ts';
import type { StackNode } from '../plan-stack.ts';
import type { StackCharts } from './charts.ts';
import type { StackSession } from './session.ts';

/** A release of the run, as it is introduced. */
export interface ReleaseOfRun {
  readonly id: string;
  readonly needs: readonly string[];
  readonly name: string;
  readonly namespace: string;
  readonly action: Plan['action'];
  /** Whether its units wait for each other, not for whole batches. */
  readonly isEager: boolean;
  /** The folder of its chart, if that is one. */
  readonly chart?: string | undefined;
}

/** What was done with a release. */
export interface Done {
  readonly change: 'installed' | 'upgraded' | 'rolled-back' | 'uninstalled' | 'unchanged' | 'not-installed' | 'tested';
  /** The revision that was made. */
  readonly revision?: number | undefined;
  /** The same in words: `upgraded to revision 3`. */
  readonly text: string;
}

/** Tells how the releases of a stack go. */
export interface StackProgress {
  begin(command: string, releases: readonly ReleaseOfRun[]): void;
  /** Shows what is done with a release. With `back`, it is put back that way after a failure of the run. */
  follow(id: string, work: () => Promise<Done>, back?: ReleaseOfRun['action']): Promise<Done>;
  /** The session in which a release is worked on: what happens there is shown as the release's. */
  watched(id: string, session: StackSession): StackSession;
  /** A release is not begun: `because` is the one that failed, undefined where the run was ended. */
  leaveOut(id: string, because: string | undefined): void;
  /** Tells what is said of no release. */
  readonly tell: (text: string) => void;
  /** Tells what is good to know. */
  readonly note: (text: string) => void;
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
