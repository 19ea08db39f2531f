import type { KeyObject } from 'node:crypto';

/** What template functions may see of the world around the chart. */
export interface FunctionEnvironment {
  now(): Date;
  randomBytes(count: number): Uint8Array;
  /** A new RSA key of 2048 bits that was made ahead; undefined where none is ready. */
  readonly rsaKey?: (() => KeyObject | undefined) | undefined;
  /** Whether getHostByName may ask the resolver; without it the function gives an empty string, as in Helm. */
  readonly enableDns: boolean;
  /** The zone of `Local`, an IANA name; by default the one of this process. */
  readonly timeZone?: string | undefined;
}

/** Where random bytes come from. */
export type RandomSource = Pick<FunctionEnvironment, 'randomBytes'>;

/** A random integer from 0 up to and without `limit`, every one as likely. */
export function randomBelow(source: RandomSource, limit: number): number {
  const range = 2 ** 48;
  const fair = range - (range % limit);
  for (;;) {
    const drawn = source.randomBytes(6).reduce((value, byte) => value * 256 + byte, 0);
    if (drawn < fair) return drawn % limit;
  }
}
