import type { Cluster } from '../../cluster/types.ts';
import type { StorageDriver } from '../drivers.ts';
import { type LockOptions, leaseLocks } from './release-locks.ts';
import type { ReleaseLocks } from './types.ts';

/** The locks that go with a driver; undefined where no other run sees the records. */
export const openLocks = (
  { isShared }: StorageDriver,
  cluster: Cluster,
  options: LockOptions,
): ReleaseLocks | undefined => (isShared ? leaseLocks(cluster, options) : undefined);
