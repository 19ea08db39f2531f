import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestSandbox } from './support.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await TestSandbox.open();
});
afterEach(() => sandbox.sandbox.close());

const askedAs = (host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${sandbox.sandbox.url}/version`,
      { headers: { host, ...sandbox.authorization } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.once('error', reject).end();
  });

test.each([
  ['127.0.0.1:8080', 200],
  ['localhost', 200],
  ['[::1]:1', 200],
  ['evil.example', 403],
  ['127.0.0.1.evil.example:80', 403],
  ['localhost:80@evil.example', 403],
])('a request for %s: %i', async (host, code) => expect(await askedAs(host)).toBe(code));
