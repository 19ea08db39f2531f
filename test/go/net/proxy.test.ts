import { expect, test } from 'vitest';
import { proxyFor } from '../../../src/go/net/proxy.ts';

// What golang.org/x/net/http/httpproxy decides; HTTPS_PROXY is http://p:1 everywhere.
test.each([
  ['https://api.example.com', '', true],
  ['https://api.example.com', 'example.com', false],
  ['https://example.com', 'example.com', false],
  ['https://badexample.com', 'example.com', true],
  ['https://example.com', '.example.com', true],
  ['https://api.example.com', '.example.com', false],
  ['https://api.example.com', '*.example.com', false],
  ['https://api.example.com:6443', 'example.com:6443', false],
  ['https://api.example.com:6443', 'example.com:443', true],
  ['https://api.example.com', 'example.com:443', false],
  ['https://10.1.2.3', '10.0.0.0/8', false],
  ['https://11.1.2.3', '10.0.0.0/8', true],
  ['https://10.1.2.3', ' 10.1.2.3 , x', false],
  ['https://[fd00::1]', 'fd00::/8', false],
  ['https://api.example.com', '*', false],
  ['https://localhost', '', false],
  ['https://127.0.0.1', '', false],
  ['https://[::1]', '', false],
])('%s with NO_PROXY=%s: through the proxy: %s', (url, noProxy, isProxied) => {
  const env = { HTTPS_PROXY: 'http://p:1', NO_PROXY: noProxy };
  expect(proxyFor(new URL(url), env)).toBe(isProxied ? 'http://p:1' : undefined);
});

test.each([
  ['http://a.example', { HTTPS_PROXY: 'http://p:1' }, undefined],
  ['http://a.example', { HTTP_PROXY: 'p:1' }, 'http://p:1'],
  ['https://a.example', { https_proxy: 'http://p:1', no_proxy: 'b.example' }, 'http://p:1'],
])('%s with %o goes through %s', (url, env, proxy) => expect(proxyFor(new URL(url), env)).toBe(proxy));
