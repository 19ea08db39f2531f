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
export const randomBelow = (source: RandomSource, limit: number): number => randomDraws(source, 1)(limit);

const bytesOfDraw = 6;
const mostAtOnce = 4096;

/** The same for `count` of them: their bytes are drawn in blocks. */
export function randomDraws({ randomBytes }: RandomSource, count: number): (limit: number) => number {
  const range = 2 ** (8 * bytesOfDraw);
  let block: Uint8Array = new Uint8Array();
  let at = 0;
  const draw = (): number => {
    if (at === block.length) {
      block = randomBytes(bytesOfDraw * Math.min(count, mostAtOnce));
      at = 0;
    }
    at += bytesOfDraw;
    return block.subarray(at - bytesOfDraw, at).reduce((value, byte) => value * 256 + byte, 0);
  };
  return (limit) => {
    const fair = range - (range % limit);
    let drawn = draw();
    while (drawn >= fair) drawn = draw();
    return drawn % limit;
  };
}
