import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../../src/cluster/connect.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import { openSandbox } from '../../src/sandbox/index.ts';
import { openStackFolder, releaseText, type StackFolder } from './stack-folder.ts';

let folder: StackFolder;
beforeEach(() => (folder = openStackFolder()));
afterEach(() => folder.remove());

const mapOf = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name });

/** Works on the cluster behind the stack's back. */
async function behind<T>(task: (cluster: Cluster) => Promise<T>): Promise<T> {
  const server = await openSandbox({ directory: folder.sandbox });
  const env = { KUBECONFIG: '/dev/null' };
  const cluster = await connect({ apiServer: server.url, token: server.token, namespace: 'shop', env });
  try {
    return await task(cluster);
  } finally {
    cluster.close();
    await server.close();
  }
}
const values = (...names: readonly string[]): Promise<readonly unknown[]> =>
  behind((cluster) =>
    Promise.all(
      names.map(async (name) => ((await cluster.get(mapOf(name)))?.['data'] as { v?: string } | undefined)?.v),
    ),
  );
const edit = (name: string, patch: object = { data: { v: 'edited' } }): Promise<unknown> =>
  behind((cluster) => cluster.patch(mapOf(name), 'merge', patch, { fieldManager: 'kubectl-edit' }));

/** Four releases: `web` needs `db`, and of `same` nothing has drifted. */
async function drifted(more = ''): Promise<void> {
  const needs = '    needs: [db]\n';
  folder.write(
    'helmfile.yaml',
    `${more}releases:\n${releaseText('web', needs)}${['db', 'same', 'other'].map((name) => releaseText(name)).join('')}`,
  );
  expect(await folder.stack('sync')).toMatchObject({ code: 0 });
  await edit('web');
  await edit('other');
  await behind((cluster) => cluster.delete(mapOf('db')));
}

test('all releases are brought back, those needed first, and no revision is added', async () => {
  await drifted();
  const { code, stdout, stderr } = await folder.stack('drift', '--fix', '--yes', '--exit-code', '--concurrency', '1');
  expect(code).toBe(2);
  expect(stdout).toContain('after shop/db:\nfix web');
  expect(stdout).not.toContain('fix same');
  expect(stderr).toContain('nothing to bring back: shop/same\n');
  const done = [...stdout.matchAll(/release "(\w+)" is as its revision says again\n/g)].map(([, name]) => name);
  expect(new Set(done)).toEqual(new Set(['db', 'other', 'web']));
  expect(stdout.indexOf('release "db"')).toBeLessThan(stdout.indexOf('release "web"'));
  expect(await values('web', 'db', 'other')).toEqual(['1', '1', '1']);
  expect((await folder.tshelm('history', 'web', '-n', 'shop', '-o', 'json')).stdout).not.toContain('"revision":2');
  expect(await folder.stack('drift', '--fix', '--yes', '--exit-code')).toMatchObject({
    code: 0,
    stdout: 'nothing to bring back\n',
  });
});

test('selectors choose, and rules say what stays', async () => {
  await drifted();
  const words = [
    '--fix',
    '--yes',
    '-l',
    'name=web',
    '-l',
    'name=other',
    '--skip-needs',
    '--ignore',
    'ConfigMap/other:data.v',
  ];
  expect(await folder.stack('drift', ...words)).toMatchObject({ code: 0 });
  expect(await values('web', 'db', 'other')).toEqual(['1', undefined, 'edited']);
});

test('hooks of the stack do not run', async () => {
  const marker = join(folder.path, 'ran');
  const hook = (events: string): string => `{events: [${events}], command: touch, args: [${marker}]}`;
  await drifted(`hooks: [${hook('prepare, cleanup')}]\n`);
  folder.write(
    'helmfile.yaml',
    folder
      .read('helmfile.yaml')
      .replace('needs: [db]\n', `needs: [db]\n    hooks: [${hook('presync, postsync, preapply')}]\n`),
  );
  rmSync(marker, { force: true });
  const file = join(folder.path, 'fix.plan');
  expect(await folder.stack('drift', '--fix', '--out', file, '-l', 'name=web', '--skip-needs')).toMatchObject({
    code: 0,
  });
  expect(await folder.tshelm('apply', file)).toMatchObject({ code: 0 });
  expect(await folder.stack('drift', '--fix', '--yes')).toMatchObject({ code: 0 });
  expect(await values('web', 'db', 'other')).toEqual(['1', '1', '1']);
  expect(existsSync(marker)).toBe(false);
});

test('what cannot be brought back is named, and keeps nothing else from it', async () => {
  await drifted();
  folder.write('helmfile.yaml', folder.read('helmfile.yaml') + releaseText('absent'));
  await folder.tshelm(
    'install',
    'thief',
    join(folder.path, 'chart'),
    '-n',
    'shop',
    '--set',
    'name=same,v=9',
    '--take-ownership',
  );
  await edit('other', { immutable: true });
  const run = await folder.stack('drift', '--fix', '--yes');
  expect(run.code).toBe(1);
  expect(run.stderr).toMatch(/3 of 5 releases failed:\n/);
  expect(run.stderr).toMatch(/shop\/absent: release: not found/);
  expect(run.stderr).toMatch(
    /shop\/same: release "same" is not as its revision 1 says:\n.*ConfigMap\/same is not brought back/,
  );
  expect(run.stderr).toMatch(/shop\/other: .*ConfigMap\/other/);
  expect(await values('web', 'db', 'other', 'same')).toEqual(['1', '1', 'edited', '9']);
});

describe('saved', () => {
  const save = async (): Promise<string> => {
    await drifted();
    const file = join(folder.path, 'fix.plan');
    expect(await folder.stack('drift', '--fix', '--out', file, '--exit-code')).toMatchObject({ code: 2 });
    expect(await values('web', 'db', 'other')).toEqual(['edited', undefined, 'edited']);
    return file;
  };

  test('it is shown, and applied as it was shown', async () => {
    const file = await save();
    const shown = await folder.tshelm('show-plan', file);
    expect(shown.stdout).toContain('fix db');
    const plans = JSON.parse((await folder.tshelm('show-plan', file, '-o', 'json')).stdout) as { needs: string[] }[];
    expect(plans).toMatchObject([{ id: 'shop/db' }, { id: 'shop/other' }, { id: 'shop/web', needs: ['shop/db'] }]);
    const { code, stderr } = await folder.tshelm('apply', file, '--progress', 'plain');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('brought back');
    expect(await values('web', 'db', 'other')).toEqual(['1', '1', '1']);
    expect(await folder.tshelm('apply', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('out of date') as unknown,
    });
  });

  test('nothing is sent once an object or a state file has changed', async () => {
    const file = await save();
    await edit('other', { data: { v: 'again' } });
    const changed = await folder.tshelm('apply', file);
    expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining('ConfigMap/other') as unknown });
    await edit('other');
    folder.write('helmfile.yaml', `${folder.read('helmfile.yaml')}# new\n`);
    const state = await folder.tshelm('apply', file);
    expect(state).toMatchObject({ code: 1, stderr: expect.stringContaining('state file') as unknown });
    expect(await values('web', 'db', 'other')).toEqual(['edited', undefined, 'edited']);
  });
});

test.each([
  [['--fix'], '--fix asks at a terminal before it changes anything: add --yes, or save the plan with --out FILE'],
  [['--yes'], '--yes needs --fix'],
  [['--out', 'x'], '--out needs --fix'],
  [['--fix', '--yes', '--out', 'x'], '--out saves the plan, and --yes carries it out: give one of them'],
])('%j asks for consent and sends nothing', async (words, message) => {
  await drifted();
  const { code, stderr } = await folder.stack('drift', ...words);
  expect(code).toBe(1);
  expect(stderr).toContain(`Error: ${message}\n`);
  expect(await values('web', 'db')).toEqual(['edited', undefined]);
});
