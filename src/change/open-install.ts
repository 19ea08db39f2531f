import { isRefusedFor } from '../cluster/api-error.ts';
import { deployedRevision, lastRevision } from '../release/history.ts';
import { validateReleaseName } from '../release/name.ts';
import type { Release } from '../release/types.ts';
import { TshelmError } from '../support/errors.ts';
import type { Context } from './context.ts';
import { withLoggedStep, withStepPrefix } from './failure.ts';
import type { LockOptions } from './lock-options.ts';
import { type SettledHistory, settledHistory } from './record/settled-history.ts';

const nameCheckFailed = 'release name check failed';

/** Errors: `invalid-release-name`, in the words of Helm's install. */
export const checkNewName = (name: string): Promise<void> =>
  withLoggedStep(nameCheckFailed, async () =>
    withStepPrefix(`release name "${name}"`, async () => validateReleaseName(name)),
  );

type NewNameOptions = LockOptions & { readonly name: string; readonly replace?: boolean | undefined };

/**
 * The revisions of a name that is to be installed; all of them are there to be replaced. An install that died before
 * anything was ever deployed does not keep the name. Errors: `name-in-use` (Install.availableName), `operation-in-progress`.
 */
export async function historyOfNewName(options: NewNameOptions, context: Context): Promise<readonly Release[]> {
  const sight = await historyIfListable(options, context);
  return historyForFreeName(options, sight);
}

/** The same for a plan, which takes nothing over. Errors: `name-in-use`. */
export async function plannedHistory(options: NewNameOptions, context: Context): Promise<readonly Release[]> {
  const history = await (await context.storage()).revisions(options.name);
  return historyForFreeName(options, { history, isTakenOver: false });
}

/** The same of a history that was read. Errors: `name-in-use`. */
export const historyForFreeName = (options: NewNameOptions, found: SettledHistory): Promise<readonly Release[]> =>
  withLoggedStep(nameCheckFailed, async () => checkNameIsFree(options, found));

function checkNameIsFree(options: NewNameOptions, { history, isTakenOver }: SettledHistory): readonly Release[] {
  const { name } = options;
  if (history.length === 0) return history;
  const { status } = lastRevision(name, history).info;
  if (isTakenOver && deployedRevision(history) === undefined) return history;
  if (options.replace && (status === 'uninstalled' || status === 'failed')) return history;
  throw new TshelmError('name-in-use', {
    message: 'cannot reuse a name that is still in use',
    details: { release: name, status },
  });
}

/** Who may not list records may still write one: a name in use is then noticed when the record is created. */
async function historyIfListable(options: NewNameOptions, context: Context): Promise<SettledHistory> {
  try {
    return await settledHistory(options.name, options, context);
  } catch (error) {
    if (isRefusedFor(error, 'Forbidden')) return { history: [], isTakenOver: false };
    throw error;
  }
}
