import { afterAll, describe } from 'vitest';
import { connect } from '../../../src/cluster/connect.ts';
import { keepsTheClusterContract } from '../../cluster/cluster-contract.ts';

describe('a real API server', () => {
  const cluster = connect();
  keepsTheClusterContract(async () => cluster);
  afterAll(async () => (await cluster).close());
});
