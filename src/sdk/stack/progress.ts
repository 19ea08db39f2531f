import { shownEvents } from '../../change/shown-events.ts';
import { failureWithoutSecrets } from '../../session/failure-without-secrets.ts';
import type { Done, ReleaseOfRun, StackProgress } from '../../stack/work/progress.ts';
import { failureForPrograms } from '../failures.ts';
import { eventForPrograms } from '../operation.ts';
import type { GivenStack } from './given.ts';

/** Tells of a run by events. */
export function eventProgress({ tell, secrets }: Pick<GivenStack, 'tell' | 'secrets'>): StackProgress {
  const actions = new Map<string, ReleaseOfRun['action']>();
  return {
    begin(_command, releases) {
      for (const { id, action } of releases) actions.set(id, action);
      tell({
        kind: 'stack-started',
        releases: releases.map(({ id, name, namespace, needs, action }) => ({ id, name, namespace, needs, action })),
      });
    },
    async follow(release, work, back) {
      tell({ kind: 'release-started', release, action: back ?? actions.get(release) ?? 'upgrade' });
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
      onEvent: shownEvents((event) => tell({ ...eventForPrograms(event), release }), secrets),
    }),
    leaveOut: (release, because) => tell({ kind: 'release-ended', release, state: 'left-out', because }),
    tell: (text) => tell({ kind: 'warning', text: secrets.redact(text) }),
    note: (text) => tell({ kind: 'note', text: secrets.redact(text) }),
  };
}

/** Of a release, as plain data. */
export const changeOf = ({
  change,
  revision,
}: Done): { readonly change: Done['change']; readonly revision?: number } => ({
  change,
  ...(revision === undefined ? {} : { revision }),
});
