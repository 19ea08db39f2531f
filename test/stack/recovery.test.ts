import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStackFolder, releaseText, type StackFolder } from './stack-folder.ts';

let folder: StackFolder;
beforeEach(() => {
  folder = openStackFolder();
});
afterEach(() => folder.remove());

/** Three releases, each after the one before. `broken` can be sent but never becomes what it should. */
const stackOf = (value: number, last = ''): string =>
  `releases:
${releaseText('one')}${releaseText('two', '    needs: [one]\n')}${releaseText('three', '    needs: [two]\n')}`
    .replaceAll('v: 1', `v: ${value}`)
    .replace(/(name: three[^]*\{v: \d)/, `$1${last}`);

const broken = ', version: no/such';

describe('--rollback-on-failure=stack', () => {
  test('takes away what the run installed, those who need before those who are needed', async () => {
    folder.write('helmfile.yaml', stackOf(1, broken));
    const { code, stderr } = await folder.stack('apply', '--rollback-on-failure=stack');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /three: failed[^]*\nshop\/two: uninstalled again \(\d+\.\d s\)\n[^]*\nshop\/one: uninstalled again \(/,
    );
    expect(stderr).toContain('Error: 1 of 3 releases failed; 2 changed releases were rolled back:\n');
    expect((await folder.tshelm('list', '-n', 'shop', '-q')).stdout).toBe('');
  });

  test('is part of the one run: its events, its tree and its files', async () => {
    folder.write('helmfile.yaml', stackOf(1, broken));
    const junit = `${folder.path}/junit.xml`;
    const words = ['--rollback-on-failure=stack', '--progress=json', '--junit', junit];
    const { stderr } = await folder.stack('apply', ...words);
    const events = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const told = events
      .filter(({ type, id }) => type === 'run-started' && id === 'shop/one')
      .map(({ action }) => action);
    expect(told).toEqual(['upgrade', 'uninstall']);
    expect(events.at(-1)).toMatchObject({
      type: 'stack-finished',
      counts: { done: 0, failed: 1, leftOut: 0, putBack: 2 },
      criticalPath: [{ id: 'shop/one' }, { id: 'shop/two' }, { id: 'shop/three' }],
    });
    const suites = [...folder.read('junit.xml').matchAll(/<testsuite name="([^"]+)" tests="\d+" failures="(\d+)"/g)];
    expect(suites.map(([, name, failures]) => `${name} ${failures}`)).toEqual([
      'upgrade one 0',
      'upgrade two 0',
      'upgrade three 1',
      'uninstall two 0',
      'uninstall one 0',
    ]);
  });

  test('gives what it upgraded the last good revision again, and lets nothing go before', async () => {
    folder.write('helmfile.yaml', `${stackOf(1)}${releaseText('old')}`);
    await folder.stack('apply');
    folder.write('helmfile.yaml', `${stackOf(2, broken)}${releaseText('old', '    installed: false\n')}`);
    const { stderr } = await folder.stack('apply', '--rollback-on-failure=stack');
    expect(stderr).toContain('shop/one: rolled back to revision 1 (');
    expect(stderr).toContain('1 of 4 releases failed, 1 left out; 2 changed releases were rolled back:\n');
    expect((await folder.tshelm('get', 'manifest', 'two', '-n', 'shop')).stdout).toContain('v: "1"');
    expect((await folder.stack('status')).stdout).toMatch(/shop\/old +no +deployed/);
  });

  test('leaves what was unchanged as it is', async () => {
    folder.write('helmfile.yaml', stackOf(1));
    await folder.stack('apply');
    folder.write('helmfile.yaml', stackOf(1, broken));
    const { stderr } = await folder.stack('apply', '--rollback-on-failure=stack');
    expect(stderr).toContain('1 of 3 releases failed; 0 changed releases were rolled back');
    expect((await folder.stack('status')).stdout).toMatch(/shop\/one +yes +deployed +1 /);
  });
});

test('--rollback-on-failure alone puts back the release that failed', async () => {
  folder.write('helmfile.yaml', stackOf(1, broken));
  await folder.stack('apply', '--rollback-on-failure');
  expect((await folder.tshelm('list', '-n', 'shop', '-q')).stdout).toBe('one\ntwo\n');
});

test('sync --resume leaves alone what is done', async () => {
  folder.write('helmfile.yaml', stackOf(1, broken));
  await folder.stack('sync');
  folder.write('helmfile.yaml', stackOf(1));
  const { code, stderr } = await folder.stack('sync', '--resume');
  expect(code).toBe(0);
  expect(stderr).toMatch(/one: unchanged[^]*two: unchanged[^]*three: (installed|upgraded)/);
});
