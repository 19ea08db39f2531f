import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSandbox } from '../../src/sandbox/index.ts';
import { configMap, deployment, TestClock, TestSandbox } from './support.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const maps = '/api/v1/namespaces/default/configmaps';
const file = (): string => join(directory, 'state.jsonl');

async function inSandbox<T>(use: (sandbox: TestSandbox) => Promise<T>): Promise<T> {
  const sandbox = await TestSandbox.open({ directory });
  try {
    return await use(sandbox);
  } finally {
    await sandbox.sandbox.close();
  }
}

describe('a sandbox with a directory', () => {
  test('keeps its objects and its count of versions', async () => {
    const before = await inSandbox(async (sandbox) => {
      await sandbox.post(maps, configMap('gone'));
      await sandbox.delete(`${maps}/gone`);
      return (await sandbox.post(maps, configMap('a', { x: '1' }))).body;
    });
    await inSandbox(async (sandbox) => {
      expect((await sandbox.get(`${maps}/a`)).body).toEqual(before);
      expect((await sandbox.get(`${maps}/gone`)).code).toBe(404);
      const next = (await sandbox.post(maps, configMap('b'))).body.metadata.resourceVersion;
      expect(Number(next)).toBeGreaterThan(Number(before.metadata.resourceVersion));
    });
  });

  test('only its owner can read the state', async () => {
    await inSandbox((sandbox) => sandbox.post(maps, configMap('a')));
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  test('goes on with what was not done when it closed', async () => {
    await inSandbox(async (sandbox) => {
      await sandbox.post('/apis/apps/v1/namespaces/default/deployments', deployment('web'));
      await sandbox.elapse(50);
    });
    await inSandbox(async (sandbox) => {
      await sandbox.elapse(1000);
      const { status } = (await sandbox.get('/apis/apps/v1/namespaces/default/deployments/web')).body;
      expect(status.availableReplicas).toBe(1);
    });
  });

  test('a watch from before it was opened is told to begin anew', async () => {
    const old = await inSandbox(async (sandbox) => (await sandbox.get(maps)).body.metadata.resourceVersion as string);
    await inSandbox((sandbox) => sandbox.post(maps, configMap('a')));
    await inSandbox(async (sandbox) => {
      const response = await sandbox.get(`${maps}?watch=true&resourceVersion=${old}`);
      expect(response.body).toMatchObject({ type: 'ERROR', object: { code: 410 } });
    });
  });

  test('is served once: a second one uses the first', async () => {
    await inSandbox(async (first) => {
      const second = await openSandbox({ directory });
      expect(second.url).toBe(first.sandbox.url);
      await second.close();
      expect((await first.get('/readyz')).body).toBe('ok');
    });
  });

  test('is free again when the process that held it is dead', async () => {
    writeFileSync(join(directory, 'lock'), '999999');
    writeFileSync(join(directory, 'server.json'), JSON.stringify({ url: 'http://127.0.0.1:1', token: 'old' }));
    await inSandbox(async (sandbox) => expect((await sandbox.get('/readyz')).code).toBe(200));
  });

  test('is free again when a full disk left its lock empty', async () => {
    const lock = join(directory, 'lock');
    writeFileSync(lock, '');
    const earlier = Date.now() / 1000 - 3;
    utimesSync(lock, earlier, earlier);
    const sandbox = await openSandbox({ directory });
    await sandbox.close();
  });

  test('a last line that was cut off is dropped', async () => {
    await inSandbox((sandbox) => sandbox.post(maps, configMap('a')));
    appendFileSync(file(), '{"put":"/configmaps","obj');
    await inSandbox(async (sandbox) => expect((await sandbox.get(`${maps}/a`)).code).toBe(200));
  });

  test('a damaged state names the file, the line and the way out', async () => {
    await inSandbox((sandbox) => sandbox.post(maps, configMap('a')));
    const lines = readFileSync(file(), 'utf8').split('\n');
    writeFileSync(file(), ['{"sandbox":1}', 'no JSON', ...lines.slice(1)].join('\n'));
    await expect(openSandbox({ directory })).rejects.toMatchObject({
      code: 'sandbox-state-broken',
      message: `the sandbox's state ${file()} is corrupt at line 2: restore the file, or delete it to begin with an empty sandbox`,
    });
  });

  test('with persist: false it is read and left as it is', async () => {
    await inSandbox((sandbox) => sandbox.post(maps, configMap('a')));
    const before = readFileSync(file(), 'utf8');
    const sandbox = new TestSandbox(await openSandbox({ directory, persist: false }), new TestClock());
    await sandbox.post(maps, configMap('b'));
    expect((await sandbox.get(`${maps}/a`)).code).toBe(200);
    await sandbox.sandbox.close();
    expect(readFileSync(file(), 'utf8')).toBe(before);
  });
});

test('a port that is taken is an error with a way out', async () => {
  const sandbox = await openSandbox();
  await expect(openSandbox({ port: sandbox.port })).rejects.toMatchObject({ code: 'sandbox-port-taken' });
  await sandbox.close();
});
