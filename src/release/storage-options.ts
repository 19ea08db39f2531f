import type { KubernetesObject } from '../manifest/types.ts';
import type { Clock } from '../support/time.ts';
import type { DecodeOptions } from './codec.ts';

export interface StorageOptions extends Pick<DecodeOptions, 'keepsIntegers'> {
  /** Where releases are looked up that name no other namespace. */
  readonly namespace: string;
  readonly clock: Clock;
  /** Variables that drivers read. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Called with a record that cannot be read and is left out of a list, as Helm leaves it out. */
  readonly onUnreadable?: ((object: KubernetesObject, cause: unknown) => void) | undefined;
}
