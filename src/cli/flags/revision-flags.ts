import type { RollbackOptions } from '../../actions/rollback.ts';
import type { ApplyMode } from '../../change/deploy/apply-method.ts';
import { boolOf } from './flag-option.ts';
import type { FlagRows } from './flag-rows.ts';

/** How a revision after the first is made; for upgrade, rollback and diff. */
export const serverSideFlag = {
  'server-side': {
    type: 'string',
    option: 'serverSide',
    default: 'auto',
    as: applyMode,
    description:
      'must be "true", "false" or "auto". Object updates run in the server instead of the client ("auto" defaults the value from the previous chart release\'s method)',
  },
} satisfies FlagRows<Pick<RollbackOptions, 'serverSide'>>;

export const historyMaxFlag = {
  'history-max': {
    type: 'int',
    option: 'maxHistory',
    description:
      'limit the maximum number of revisions saved per release. Use 0 for no limit (default $HELM_MAX_HISTORY, or 10)',
  },
} satisfies FlagRows<Pick<RollbackOptions, 'maxHistory'>>;

function applyMode(text: string): ApplyMode {
  if (text === 'auto') return text;
  const value = boolOf(text);
  if (value !== undefined) return value ? 'true' : 'false';
  // Helm looks at it no sooner than when it has the release that `auto` would follow.
  return text as ApplyMode;
}
