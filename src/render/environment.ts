import { randomBytes } from '../support/cryptography.ts';
import type { FunctionEnvironment } from './functions/table.ts';

/** What may be set of what template functions see; the rest is this process's. */
export type EnvironmentOptions = {
  readonly [Name in keyof FunctionEnvironment]?: FunctionEnvironment[Name] | undefined;
};

export const environmentOf = (options: EnvironmentOptions): FunctionEnvironment => ({
  now: options.now ?? (() => new Date()),
  randomBytes: options.randomBytes ?? ((count) => randomBytes(count)),
  rsaKey: options.rsaKey,
  enableDns: options.enableDns ?? false,
  timeZone: options.timeZone,
});
