import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { afterAll, describe, expect, test } from 'vitest';
import { findCluster } from '../../src/cluster/kubeconfig.ts';

/** What our reader and Kubernetes' own JavaScript client must say alike of a kubeconfig. */
const kubeconfigs: Readonly<Record<string, string>> = {
  'a token': `
apiVersion: v1
kind: Config
current-context: dev
clusters: [{name: one, cluster: {server: "https://one.example:6443", insecure-skip-tls-verify: true}}]
users: [{name: me, user: {token: secret}}]
contexts: [{name: dev, context: {cluster: one, user: me, namespace: team}}]`,
  'the second of two contexts': `
current-context: b
clusters:
  - {name: one, cluster: {server: "https://one.example"}}
  - {name: two, cluster: {server: "https://two.example", tls-server-name: inner, proxy-url: "http://proxy.example:3128"}}
users:
  - {name: a, user: {username: u, password: p}}
  - {name: b, user: {client-certificate: certs/b.pem, client-key: /abs/b.key}}
contexts:
  - {name: a, context: {cluster: one, user: a}}
  - {name: b, context: {cluster: two, user: b}}`,
  'certificates in the file': `
current-context: x
clusters: [{name: c, cluster: {server: "https://c.example", certificate-authority-data: Y2E=}}]
users: [{name: u, user: {client-certificate-data: Y2VydA==, client-key-data: a2V5}}]
contexts: [{name: x, context: {cluster: c, user: u}}]`,
  'a credential plugin': `
current-context: x
clusters: [{name: c, cluster: {server: "https://c.example", certificate-authority: ca.pem}}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: get-token, args: [a, b]}}}]
contexts: [{name: x, context: {cluster: c, user: u}}]`,
};

const folder = mkdtempSync(join(tmpdir(), 'tshelm-kubeconfig-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a kubeconfig reads as by @kubernetes/client-node', () => {
  test.each(Object.entries(kubeconfigs))('%s', async (_name, text) => {
    const path = join(folder, 'config');
    writeFileSync(path, text);
    const theirs = new KubeConfig();
    theirs.loadFromFile(path);
    const cluster = theirs.getCurrentCluster();
    const user = theirs.getCurrentUser();
    const ours = await findCluster({ kubeconfig: path, env: {} });
    expect({
      namespace: ours.namespace,
      server: ours.cluster.server,
      tlsServerName: ours.cluster['tls-server-name'],
      skipTlsVerify: ours.cluster['insecure-skip-tls-verify'] ?? false,
      proxy: ours.cluster['proxy-url'],
      caFile: ours.cluster['certificate-authority'],
      caData: ours.cluster['certificate-authority-data'],
      user: ours.userName,
      token: ours.user.token,
      username: ours.user.username,
      password: ours.user.password,
      certFile: ours.user['client-certificate'],
      certData: ours.user['client-certificate-data'],
      keyFile: ours.user['client-key'],
      keyData: ours.user['client-key-data'],
      plugin: ours.user.exec?.command,
    }).toEqual({
      namespace: theirs.getContextObject(theirs.getCurrentContext())?.namespace ?? 'default',
      server: cluster?.server,
      tlsServerName: cluster?.tlsServerName,
      skipTlsVerify: cluster?.skipTLSVerify ?? false,
      proxy: cluster?.proxyUrl,
      caFile: cluster?.caFile,
      caData: cluster?.caData,
      user: user?.name,
      token: user?.token,
      username: user?.username,
      password: user?.password,
      certFile: user?.certFile,
      certData: user?.certData,
      keyFile: user?.keyFile,
      keyData: user?.keyData,
      plugin: (user?.exec as { command?: string } | undefined)?.command,
    });
  });
});
