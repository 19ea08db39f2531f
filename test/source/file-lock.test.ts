import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeFileAtomically } from '../../src/source/atomic-file.ts';
import { withFileLock } from '../../src/source/file-lock.ts';
import { noCredential } from '../../src/source/oci/credential.ts';
import { eraseCredential, storeCredential } from '../../src/source/oci/credentials.ts';
import {
  plainEntry,
  readRepositories,
  withRepository,
  writeRepositories,
} from '../../src/source/repository/repositories.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('work under a lock runs alone, and the lock is where Helm looks for it', async () => {
  const folder = newFolder();
  const path = join(folder, 'repositories.yaml');
  writeFileSync(path, '0');
  const add = () =>
    withFileLock(path, async () => {
      const before = Number(readFileSync(path, 'utf8'));
      await new Promise((resolve) => setTimeout(resolve, 5));
      writeFileSync(path, String(before + 1));
    });
  await Promise.all([add(), add(), add()]);
  expect(readFileSync(path, 'utf8')).toBe('3');
  expect(existsSync(join(folder, 'repositories.lock'))).toBe(true);
});

test('credentials that are kept at once are all kept, and the lock goes', async () => {
  const registryConfig = join(newFolder(), 'registry', 'config.json');
  const hosts = ['a', 'b', 'c', 'd', 'e', 'f'];
  const place = { registryConfig, env: { PATH: '' } };
  const credential = { ...noCredential, username: 'me', password: 'secret' };
  await Promise.all(hosts.map((host) => storeCredential(host, credential, place)));
  expect(Object.keys(JSON.parse(readFileSync(registryConfig, 'utf8')).auths)).toEqual(hosts);
  expect(readdirSync(join(registryConfig, '..'))).toEqual(['config.json']);
  await Promise.all(hosts.slice(1).map((host) => eraseCredential(host, place)));
  expect(Object.keys(JSON.parse(readFileSync(registryConfig, 'utf8')).auths)).toEqual(['a']);
});

test('a file that cannot be put in its place leaves nothing behind', () => {
  const folder = newFolder();
  writeFileAtomically(join(folder, 'a'), 'one', 0o600);
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o600);
  expect(() => writeFileAtomically(folder, 'two')).toThrow();
  expect(readdirSync(folder)).toEqual(['a']);
});

test('repositories.yaml is written as Helm writes it', () => {
  const path = join(newFolder(), 'config/repositories.yaml');
  expect(readRepositories(path)).toBeUndefined();
  const entry = { ...plainEntry('web', 'https://host'), username: 'me', password: 'secret', passCredentialsAll: true };
  writeRepositories(path, withRepository(withRepository(undefined, plainEntry('web', 'http://old')), entry));
  expect(readFileSync(path, 'utf8')).toBe(`apiVersion: ""
generated: "0001-01-01T00:00:00Z"
repositories:
- caFile: ""
  certFile: ""
  insecure_skip_tls_verify: false
  keyFile: ""
  name: web
  pass_credentials_all: true
  password: secret
  url: https://host
  username: me
`);
  expect(readRepositories(path)?.repositories).toEqual([entry]);
});
