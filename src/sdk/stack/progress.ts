import type { Done, StackProgress } from '../../stack/work/progress.ts';
import { toldEvent } from '../operation.ts';
import { failureForPrograms, forPrograms } from '../wording.ts';
import type { StackChange, StackEvent } from './options.ts';

/** Tells of a run by events. */
export const eventProgress = (tell: (event: StackEvent) => void): StackProgress => ({
  begin: (_command, releases) =>
    tell({
      kind: 'stack-started',
      releases: releases.map(({ id, name, namespace, needs, action }) => ({ id, name, namespace, needs, action })),
    }),
  async follow(release, work, action) {
    tell({ kind: 'release-started', release, action: action ?? 'upgrade' });
    try {
      const done = await work();
      tell({ kind: 'release-ended', release, state: 'done', ...changeOf(done) });
      return done;
    } catch (error) {
      tell({ kind: 'release-ended', release, state: 'failed', error: failureForPrograms(error) });
      throw error;
    }
  },
  watched: (release, session) => ({
    ...session,
    onEvent: (event) => tell({ ...toldEvent(event), release }),
  }),
  leaveOut: (release, because) => tell({ kind: 'release-ended', release, state: 'left-out', because }),
  tell: (text) => tell({ kind: 'warning', text: forPrograms(text) }),
  note: (text) => tell({ kind: 'note', text: forPrograms(text) }),
});

/** Of a release, as plain data. */
export const changeOf = ({ change, revision }: Done): { readonly change: StackChange; readonly revision?: number } => ({
  change: change as StackChange,
  ...(revision === undefined ? {} : { revision }),
});
