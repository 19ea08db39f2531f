import type { UpgradeOptions } from '../../actions/upgrade.ts';
import type { Release } from '../../release/types.ts';
import { upgradeOptionsOf } from '../../stack/action-options.ts';
import type { StackNode } from '../../stack/plan-stack.ts';
import type { Reading } from '../../stack/reading.ts';
import { type FlagsOf, optionsOf } from '../flag-rows.ts';
import { upgradeOverrideFlags } from './change-flags.ts';
import { extraUpgrade } from './extra-args.ts';

/** What a release, its file and the command line say to `upgrade --install`. Errors: `stack-invalid`. */
export const deployOptionsOf = (
  { release, file }: StackNode,
  reading: Reading,
  flags: FlagsOf<typeof upgradeOverrideFlags> & { readonly rollbackOnFailure?: string | undefined },
): UpgradeOptions => ({
  ...upgradeOptionsOf(release, file),
  ...extraUpgrade(file, reading).options,
  ...optionsOf(upgradeOverrideFlags, flags),
  ...(flags.rollbackOnFailure === undefined ? {} : { rollbackOnFailure: true }),
});

/** Whether the newest revision is deployed and has the manifest and hooks of the new one, as helm-diff compares them. */
export const isSameRelease = (current: Release | undefined, next: Release): boolean =>
  current?.info.status === 'deployed' && next.manifest === current.manifest && hookText(next) === hookText(current);

const hookText = ({ hooks }: Release): string =>
  hooks
    .map(({ path, manifest }) => `${path}\n${manifest}`)
    .sort()
    .join('\n');
