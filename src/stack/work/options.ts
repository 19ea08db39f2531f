import type { UpgradeOptions } from '../../actions/options/upgrade.ts';
import { upgradeOptionsOf } from '../action-options.ts';
import type { StackNode } from '../plan-stack.ts';
import type { StackWork } from './work.ts';

/** What a run says of every release, over what the state says. */
export interface UpgradeOverrides {
  readonly overrides: Partial<UpgradeOptions>;
  /** What a failure undoes: what was done to the release that failed, or to every release of the run. */
  readonly rollbackOnFailure?: 'release' | 'stack' | undefined;
}

/** What a release, its file and the run say to `upgrade --install`. Errors: `stack-invalid`. */
export const deployOptionsOf = (
  { release, file }: StackNode,
  { tools }: Pick<StackWork, 'tools'>,
  { overrides, rollbackOnFailure }: UpgradeOverrides,
): UpgradeOptions => ({
  ...upgradeOptionsOf(release, file),
  ...tools.words.upgrade(file).options,
  ...overrides,
  ...(rollbackOnFailure === undefined ? {} : { rollbackOnFailure: true }),
});
