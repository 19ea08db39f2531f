import { formatDuration } from '../go/time/duration.ts';

/** The last line of a wait whose time is over. Helm's words stay: people search for them. */
export const timedOut = (timeoutMs: number): string =>
  `timed out after ${formatDuration(BigInt(Math.round(timeoutMs)) * 1_000_000n)} (context deadline exceeded)`;
