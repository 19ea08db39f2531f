import type { ReleaseDrift } from '../actions/drift.ts';
import { driftText } from '../show/changes/drift-text.ts';

/** What `drift` found, for people, as `tshelm drift` prints it: of one release, or of several in one text. */
export const formatDrift = (drifts: ReleaseDrift | readonly ReleaseDrift[]): string =>
  [drifts]
    .flat()
    .map((drift) => driftText(drift))
    .join('\n');
