import { type KeyObject, randomBytes } from 'node:crypto';
import type { FunctionEnvironment } from './functions/table.ts';

/** What may be set of what template functions see; the rest is this process's. */
export interface EnvironmentOptions {
  readonly now?: (() => Date) | undefined;
  readonly randomBytes?: ((count: number) => Uint8Array) | undefined;
  /** A new RSA key of 2048 bits that was made ahead; undefined where none is ready. */
  readonly rsaKey?: (() => KeyObject | undefined) | undefined;
  /** Lets `getHostByName` ask. */
  readonly enableDns?: boolean | undefined;
  /** The zone of `Local`, an IANA name; by default the one of this process. */
  readonly timeZone?: string | undefined;
}

export const environmentOf = (options: EnvironmentOptions): FunctionEnvironment => ({
  now: options.now ?? (() => new Date()),
  randomBytes: options.randomBytes ?? ((count) => randomBytes(count)),
  rsaKey: options.rsaKey,
  enableDns: options.enableDns ?? false,
  timeZone: options.timeZone,
});
