import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStackFolder, releaseText, type StackFolder } from './stack-folder.ts';

let folder: StackFolder;
beforeEach(() => (folder = openStackFolder()));
afterEach(() => folder.remove());

const named = (name: string, object: string): string => releaseText(name).replace('{v: 1}', `{v: 1, name: ${object}}`);
const write = (releases: string, moved = ''): void => folder.write('helmfile.yaml', `${moved}releases:\n${releases}`);
const renamed = 'moved:\n  - from: old\n    to: new\n';

const uidOf = async (name: string): Promise<string> => {
  const { stdout } = await folder.tshelm('status', name, '-n', 'shop', '--show-resources', '-o', 'json');
  return /"uid": ?"([^"]+)"/.exec(stdout)?.[1] ?? 'none';
};
const revisions = async (name: string): Promise<string> => {
  const { stdout, code } = await folder.tshelm('history', name, '-n', 'shop', '-o', 'json');
  if (code !== 0) return 'none';
  return (JSON.parse(stdout) as { status: string }[]).map(({ status }) => status).join(' ');
};

describe('moved: a release that is renamed', () => {
  beforeEach(async () => {
    write(named('old', 'kept'));
    await folder.stack('apply');
    write(named('new', 'kept'), renamed);
  });

  test('apply renames it, and then sees that nothing changes', async () => {
    const { code, stderr } = await folder.stack('apply');
    expect([code, stderr]).toEqual([0, expect.stringContaining('moved: shop/old -> shop/new\n')]);
    expect(stderr).toMatch(/shop\/new: unchanged/);
    expect(await revisions('old')).toBe('none');
    expect(await revisions('new')).toBe('superseded deployed');
    const again = await folder.stack('apply');
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('moved:')]);
  });

  test('diff and plan say so, and show an upgrade instead of an install that is refused', async () => {
    const uid = await uidOf('old');
    for (const verb of ['diff', 'plan']) {
      const { code, stdout, stderr } = await folder.stack(verb);
      expect([verb, code, stderr]).toEqual([verb, 0, expect.stringContaining('moved: shop/old -> shop/new\n')]);
      expect(stdout).not.toContain('install');
    }
    expect(await revisions('old')).toBe('deployed');
    expect(await uidOf('old')).toBe(uid);
  });

  test('a plan with it is not saved', async () => {
    const { code, stderr } = await folder.stack('plan', '--out', `${folder.path}/stack.plan`);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('does not carry out what the stack says under moved (shop/new)'),
    ]);
  });
});

test('moved: objects of a release that is split keep their uid, whatever is deployed first', async () => {
  folder.write('two/Chart.yaml', 'apiVersion: v2\nname: two\nversion: 0.1.0\n');
  const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {v: '1'}\n`;
  folder.write('two/templates/all.yaml', `${map('kept')}---\n${map('rest')}`);
  write('  - {name: whole, namespace: shop, chart: ./two}\n');
  await folder.stack('apply');
  folder.write('two/templates/all.yaml', map('rest'));
  const moved = 'moved:\n  - {from: whole, to: part, objects: [ConfigMap/kept]}\n';
  write(`  - {name: whole, namespace: shop, chart: ./two}\n${named('part', 'kept')}`, moved);
  const planned = await folder.stack('diff');
  expect([planned.code, planned.stderr]).toEqual([
    0,
    expect.stringContaining('moved: ConfigMap/kept shop/whole -> shop/part'),
  ]);
  const { code, stderr } = await folder.stack('apply');
  expect([code, stderr]).toEqual([0, expect.stringMatching(/shop\/whole: unchanged/)]);
  expect(await revisions('whole')).toBe('superseded deployed');
  // Its own chart brings it.
  expect(await revisions('part')).toBe('superseded deployed');
});

test.each([
  ['to: nope', /helmfile\.yaml:3: moved: to names no release of this file that is installed: nope/],
  ['to: other', /other is still a release|from and to are the same/],
  ['note: x', /moved: each entry needs from and to|field note not found/],
])('a mistake is told with its line: %s', async (line, message) => {
  write(releaseText('other'), `moved:\n  - from: other\n    ${line}\n`);
  const { code, stderr } = await folder.stack('diff');
  expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
});
