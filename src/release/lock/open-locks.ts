import type { Cluster } from '../../cluster/types.ts';
import type { ReleaseStorage } from '../types.ts';
import { type LockOptions, leaseLocks } from './release-locks.ts';
import type { ReleaseLocks } from './types.ts';

/** The locks that go with a storage; undefined where the records are this process's own, and nobody else could meet them. */
export const openLocks = (
  driver: ReleaseStorage['driver'],
  cluster: Cluster,
  options: LockOptions,
): ReleaseLocks | undefined => (driver === 'memory' ? undefined : leaseLocks(cluster, options));
