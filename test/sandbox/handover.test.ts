import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSandbox } from '../../src/sandbox/index.ts';

test('a process that ends right after it has answered is not relied on', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tshelm-handover-'));
  const ending = createServer((_request, response) => {
    response.end('ok', () => {
      ending.close();
      ending.closeAllConnections();
      rmSync(join(directory, 'lock'));
    });
  });
  await new Promise<void>((resolve) => ending.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(ending.address() as AddressInfo).port}`;
  writeFileSync(join(directory, 'lock'), String(process.pid));
  writeFileSync(join(directory, 'server.json'), JSON.stringify({ url, token: 'old' }));
  const sandbox = await openSandbox({ directory });
  try {
    expect(sandbox.url).not.toBe(url);
    expect(
      (await fetch(`${sandbox.url}/readyz`, { headers: { authorization: `Bearer ${sandbox.token}` } })).status,
    ).toBe(200);
  } finally {
    await sandbox.close();
    rmSync(directory, { recursive: true });
  }
});

test('a silent connection keeps a server from ending, on every runtime', async () => {
  const sandbox = await openSandbox();
  const silent = connect(sandbox.port, '127.0.0.1');
  await new Promise((resolve) => silent.once('connect', resolve));
  let isAlone = false;
  const alone = sandbox.alone().then(() => (isAlone = true));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isAlone).toBe(false);
  silent.destroy();
  await alone;
  await sandbox.close();
});
