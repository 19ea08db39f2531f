import { afterEach, describe, expect, test } from 'vitest';
import { openSandbox } from '../../src/sandbox/index.ts';
import { pod, TestSandbox } from './support.ts';

let sandbox: TestSandbox | undefined;
afterEach(() => sandbox?.sandbox.close());

async function sandboxOf(kubeVersion?: string): Promise<TestSandbox> {
  sandbox = await TestSandbox.open({ kubeVersion });
  return sandbox;
}

describe('a sandbox of a version of Kubernetes', () => {
  test.each([
    ['1.34', '34', 'v1.34.4'],
    ['v1.37.0-eks-1', '37', 'v1.37.2'],
    [undefined, '36', 'v1.36.3'],
  ])('%s says so itself and on its nodes', async (kubeVersion, minor, gitVersion) => {
    const { get } = await sandboxOf(kubeVersion);
    expect((await get('/version')).body).toMatchObject({ major: '1', minor, gitVersion });
    const { body } = await get('/api/v1/nodes');
    expect(body.items[0].status.nodeInfo.kubeletVersion).toBe(gitVersion);
  });

  test.each([
    ['1.33', 404],
    ['1.34', 200],
  ])('%s serves the kinds of that version', async (kubeVersion, code) => {
    const { get } = await sandboxOf(kubeVersion);
    expect((await get('/apis/resource.k8s.io/v1/deviceclasses')).code).toBe(code);
  });

  test.each([
    ['1.33', 400],
    ['1.36', 201],
  ])('%s knows the fields of that version', async (kubeVersion, code) => {
    const { post } = await sandboxOf(kubeVersion);
    const { spec, ...head } = pod('web') as { readonly spec: object };
    const body = { ...head, spec: { ...spec, hostnameOverride: 'a.example' } };
    expect((await post('/api/v1/namespaces/default/pods?fieldValidation=Strict', body)).code).toBe(code);
  });

  test.each([['1.20'], ['2.0'], ['latest']])('%s is unknown', async (kubeVersion) => {
    await expect(openSandbox({ kubeVersion })).rejects.toMatchObject({
      code: 'sandbox-version-unknown',
      details: { kubeVersion },
    });
  });
});
