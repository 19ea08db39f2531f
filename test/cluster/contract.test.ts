import { afterAll, beforeAll, describe } from 'vitest';
import { connect } from '../../src/cluster/connect.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { keepsTheClusterContract } from './cluster-contract.ts';
import { FakeCluster } from './fake-cluster.ts';

describe('the cluster in memory', () => {
  const cluster = new FakeCluster();
  keepsTheClusterContract(async () => cluster);
});

describe('the real client, with the sandbox', () => {
  let sandbox: Sandbox;
  let cluster: Cluster;
  beforeAll(async () => {
    sandbox = await openSandbox({});
    cluster = await connect({ apiServer: sandbox.url, token: sandbox.token, env: { KUBECONFIG: '/absent' } });
  });
  afterAll(async () => {
    cluster.close();
    await sandbox.close();
  });
  keepsTheClusterContract(async () => cluster);
});
