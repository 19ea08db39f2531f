import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openTestSandbox, tshelm } from './harness.ts';

const sandbox = openTestSandbox();
afterAll(() => sandbox.remove());

const chart = join(sandbox.directory, 'notes');
/** As `kind/name`, in the order in which progress says that they were created. */
const createdIn = (stderr: string): readonly string[] =>
  [...stderr.matchAll(/^ *[\d.]+s {2}(\S+) created$/gm)].map(([, id]) => id as string);

test('a new chart with an order: nothing to find fault with, deployed group by group, upgraded, and taken away', async () => {
  expect(await tshelm(['create', chart, '--starter', 'ordered'])).toMatchObject({ code: 0, stderr: '' });
  expect(await tshelm(['lint', chart, '--strict'])).toMatchObject({ code: 0, stderr: '' });
  expect(await tshelm(['check', chart, '--fail-on', 'note'])).toMatchObject({ code: 0, stderr: '' });

  const install = await sandbox.run('install', 'a', chart, '--wait=ordered');
  expect(install.code).toBe(0);
  const created = createdIn(install.stderr);
  expect(created.slice(0, 3).sort()).toEqual(
    ['Secret/a-notes-database', 'Service/a-notes-database', 'StatefulSet/a-notes-database'].sort(),
  );
  expect(created.slice(3)).toEqual(['Job/a-notes-migration-1', 'Service/a-notes-server', 'Deployment/a-notes-server']);

  const password = async (): Promise<string | undefined> =>
    /^ {2}password: .*$/m.exec((await sandbox.run('get', 'manifest', 'a')).stdout)?.[0];
  const first = await password();
  const upgrade = await sandbox.run('upgrade', 'a', chart, '--set', 'server.replicas=3');
  expect(upgrade.code).toBe(0);
  expect(createdIn(upgrade.stderr)).toEqual(['Job/a-notes-migration-2']);
  expect(await password()).toBe(first);
  expect(await sandbox.run('rollback', 'a', '1')).toMatchObject({ code: 0 });
  expect(await sandbox.run('uninstall', 'a')).toMatchObject({ code: 0 });
});

test('names that YAML reads as something else, and SQL with a colon', async () => {
  const odd = join(sandbox.directory, 'n');
  await tshelm(['create', odd, '--starter', 'ordered']);
  const words = [odd, '--wait=ordered', '--set', 'migration.sql=SELECT 1 AS "a: b" # c'];
  for (const name of ['n', '1e3']) expect(await sandbox.run('install', name, ...words)).toMatchObject({ code: 0 });
  const { stdout } = await sandbox.run('get', 'manifest', 'n');
  expect(stdout).toContain('- "--command=SELECT 1 AS \\"a: b\\" # c"');
});

test('a starter of that name of the user goes first', async () => {
  const starters = join(sandbox.directory, 'data', 'starters');
  mkdirSync(starters, { recursive: true });
  cpSync('fixtures/charts/blog', join(starters, 'ordered'), { recursive: true });
  const own = join(sandbox.directory, 'own');
  const env = { HELM_DATA_HOME: join(sandbox.directory, 'data') };
  expect(await tshelm(['create', own, '-p', 'ordered'], { env })).toMatchObject({ code: 0 });
  expect(readFileSync(join(own, 'templates', 'all.yaml'), 'utf8')).toContain('ghost');
});
