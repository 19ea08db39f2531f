import { formatDuration } from '../go/time/duration.ts';

/**
 * The last line of a wait whose time is over. Helm's words stay: people search for them. `limitedBy` says where the limit is
 * set that is shorter than the timeout of the run: `helm.sh/hook-timeout`, `order.yaml:3`.
 */
export const timedOut = (timeoutMs: number, limitedBy?: string): string =>
  `timed out after ${formatDuration(BigInt(Math.round(timeoutMs)) * 1_000_000n)} (context deadline exceeded)${limitedBy === undefined ? '' : `, the limit that ${limitedBy} sets`}`;
