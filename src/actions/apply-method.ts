import type { Release } from '../release/types.ts';
import { TshelmError } from '../support/errors.ts';

/** `--server-side`: `auto` follows the method of an earlier revision. */
export type ApplyMode = 'auto' | 'true' | 'false';

/** Whether a deploy uses server-side apply (action.getUpgradeServerSideValue). */
export function usesServerSideApply(mode: ApplyMode = 'auto', earlier: Release): boolean {
  switch (mode) {
    case 'auto':
      return earlier.applyMethod === 'ssa';
    case 'true':
      return true;
    case 'false':
      return false;
    default:
      throw new TshelmError('invalid-arguments', {
        message: `invalid/unknown release server-side apply method: ${String(mode)}; use auto, true or false`,
      });
  }
}
