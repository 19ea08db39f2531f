import { shownEvents } from '../../change/shown-events.ts';
import type { Done, StackProgress } from '../../stack/work/progress.ts';
import { toldEvent } from '../operation.ts';
import { failureWithoutSecrets, toldWith } from '../secrets.ts';
import { failureForPrograms } from '../wording.ts';
import type { GivenStack } from './given.ts';
import type { StackChange } from './options.ts';

/** Tells of a run by events. */
export const eventProgress = ({ tell, secrets }: Pick<GivenStack, 'tell' | 'secrets'>): StackProgress => ({
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
      tell({
        kind: 'release-ended',
        release,
        state: 'failed',
        error: failureForPrograms(failureWithoutSecrets(error, secrets)),
      });
      throw error;
    }
  },
  watched: (release, session) => ({
    ...session,
    onEvent: shownEvents((event) => tell({ ...toldEvent(event), release }), secrets),
  }),
  leaveOut: (release, because) => tell({ kind: 'release-ended', release, state: 'left-out', because }),
  tell: (text) => tell({ kind: 'warning', text: toldWith(secrets)(text) }),
  note: (text) => tell({ kind: 'note', text: toldWith(secrets)(text) }),
});

/** Of a release, as plain data. */
export const changeOf = ({ change, revision }: Done): { readonly change: StackChange; readonly revision?: number } => ({
  change: change as StackChange,
  ...(revision === undefined ? {} : { revision }),
});
