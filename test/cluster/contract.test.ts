import { describe } from 'vitest';
import { keepsTheClusterContract } from './cluster-contract.ts';
import { FakeCluster } from './fake-cluster.ts';

describe('the cluster in memory', () => {
  const cluster = new FakeCluster();
  keepsTheClusterContract(async () => cluster);
});
