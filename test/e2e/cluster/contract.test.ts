import { afterAll, describe, expect, test } from 'vitest';
import { connect } from '../../../src/cluster/connect.ts';
import { waitUntilEstablished } from '../../../src/cluster/wait.ts';
import { keepsTheClusterContract } from '../../cluster/cluster-contract.ts';

describe('a real API server', () => {
  const cluster = connect();
  keepsTheClusterContract(async () => cluster);
  afterAll(async () => (await cluster).close());
});

test('an integer that JavaScript cannot hold comes back unchanged', async () => {
  const cluster = await connect();
  const name = 'exacts.numbers.example.com';
  await cluster.apply({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: 'numbers.example.com',
      scope: 'Cluster',
      names: { kind: 'Exact', plural: 'exacts' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  await waitUntilEstablished(cluster, [name], { timeoutMs: 10_000 });
  const exact = {
    apiVersion: 'numbers.example.com/v1',
    kind: 'Exact',
    metadata: { name: 'e' },
    size: 9007199254740993n,
  };
  expect((await cluster.apply(exact))['size']).toBe(9007199254740993n);
  await cluster.delete({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    namespace: '',
    name,
  });
  cluster.close();
});
