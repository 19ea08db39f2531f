import { boolOf, type FlagRows } from '../option-rows.ts';
import type { ApplyMode } from './apply-method.ts';

/** Options of what makes a revision after the first: upgrade and rollback. */
export interface RevisionOptions {
  /** Revisions to keep. Default 0: all. */
  readonly maxHistory?: number | undefined;
  /** Server-side apply (`true`) or client-side apply (`false`). Default `auto`: as the release was last deployed. */
  readonly serverSide?: ApplyMode | undefined;
}

export const revisionFlags = {
  'history-max': {
    type: 'int',
    option: 'maxHistory',
    description:
      'limit the maximum number of revisions saved per release. Use 0 for no limit (default $HELM_MAX_HISTORY, or 10)',
  },
  'server-side': {
    type: 'string',
    option: 'serverSide',
    default: 'auto',
    choices: ['auto', true, false, 'true', 'false'],
    as: applyMode,
    description:
      'must be "true", "false" or "auto". Object updates run in the server instead of the client ("auto" defaults the value from the previous chart release\'s method)',
  },
} satisfies FlagRows<RevisionOptions>;

function applyMode(text: string): ApplyMode {
  if (text === 'auto') return text;
  const value = boolOf(text);
  if (value !== undefined) return value ? 'true' : 'false';
  // Helm looks at it no sooner than when it has the release that `auto` would follow.
  return text as ApplyMode;
}
