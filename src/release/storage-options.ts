import type { Clock } from '../support/time.ts';
import type { DecodeOptions } from './codec.ts';

export interface StorageOptions extends Pick<DecodeOptions, 'keepsIntegers'> {
  /** Where releases are looked up that name no other namespace. */
  readonly namespace: string;
  readonly clock: Clock;
  /** Variables that drivers read. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}
