/** What of the time is seen, in parts of the whole: from 0 to 1. */
export interface Period {
  readonly from: number;
  readonly length: number;
}

export const whole: Period = { from: 0, length: 1 };

/** A two-hundredth of the time is the least that is seen. */
const shortest = 1 / 200;

export function clampedPeriod({ from, length }: Period): Period {
  const size = Math.min(1, Math.max(shortest, length));
  return { from: Math.min(1 - size, Math.max(0, from)), length: size };
}

/** Nearer (above 1) or farther, so that a moment stays where it is. */
export function zoomedPeriod({ from, length }: Period, factor: number, at: number): Period {
  const size = Math.min(1, Math.max(shortest, length / factor));
  return clampedPeriod({ from: at - ((at - from) * size) / length, length: size });
}
