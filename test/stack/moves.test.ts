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

  test.each([
    ['dot', /before1 \[label="rename release old in shop to new\\nConfigMap\/kept"\];[^]*before1 -> /],
    ['mermaid', /before1\["rename release old in shop to new<br>ConfigMap\/kept"\][^]*before1 --> release1/],
  ])('a picture has it before the release (%s)', async (output, text) => {
    folder.write('helmfile.yaml', folder.read('helmfile.yaml').replace('v: 1', 'v: 2'));
    const { stdout, stderr } = await folder.stack('plan', '-o', output);
    expect(stdout, stderr).toMatch(text);
  });

  test('a plan with it is not saved', async () => {
    const { code, stderr } = await folder.stack('plan', '--out', `${folder.path}/stack.plan`);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('does not carry out what the stack says under moved (shop/new)'),
    ]);
  });
});

describe('moved: a list of objects that is empty', () => {
  test.each(['    objects: []', '    objects:', '    objects: {{ list | toYaml }}'])(
    'moves nothing, and renames nothing: %s',
    async (objects) => {
      write(named('old', 'kept'));
      await folder.stack('apply');
      folder.write('helmfile.yaml.gotmpl', `${renamed}${objects}\nreleases:\n${named('new', 'fresh')}`);
      for (const verb of ['plan', 'apply']) {
        const { code, stderr } = await folder.tshelm('stack', verb, '-f', `${folder.path}/helmfile.yaml.gotmpl`);
        expect([code, stderr]).toEqual([0, expect.not.stringContaining('moved:')]);
      }
      expect(await revisions('old')).toBe('deployed');
    },
  );
});

describe('moved: what is wrong with the releases is told with its line', () => {
  const both = `${named('b', 'two')}${named('c', 'three')}`;

  test.each(['', ', objects: [ConfigMap/kept]'])(
    'an entry for a release that an earlier one renames%s',
    async (rest) => {
      write(named('a', 'kept'));
      await folder.stack('apply');
      write(both, `moved:\n  - {from: a, to: b}\n  - {from: a, to: c${rest}}\n`);
      for (const verb of ['plan', 'apply']) {
        const { code, stderr } = await folder.stack(verb);
        expect([code, stderr]).toEqual([
          1,
          expect.stringMatching(/helmfile\.yaml:3: moved: an earlier entry renames shop\/a to shop\/b/),
        ]);
      }
      expect(await revisions('a')).toBe('deployed');
    },
  );

  test('both are in the cluster', async () => {
    write(`${named('a', 'kept')}${named('b', 'two')}`);
    await folder.stack('apply');
    write(named('b', 'two'), 'moved:\n  - {from: a, to: b}\n');
    const { code, stderr } = await folder.stack('apply');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/helmfile\.yaml:2: moved: shop\/a cannot be renamed to shop\/b: both are in the cluster/),
    ]);
    expect(stderr).not.toContain('CHART');
  });

  test('neither is in the cluster, which is a warning', async () => {
    write(named('b', 'two'), 'moved:\n  - {from: a, to: b}\n');
    for (const verb of ['plan', 'apply']) {
      const { code, stderr } = await folder.stack(verb);
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(/warning: .*helmfile\.yaml:2: moved: neither shop\/a nor shop\/b is in the cluster/),
      ]);
    }
    const { stderr } = await folder.stack('apply');
    expect(stderr).not.toContain('neither');
  });

  test('it is a release that has the key', async () => {
    write(`${named('b', 'two')}    moved: [{from: a, to: b}]\n`);
    const { code, stderr } = await folder.stack('plan');
    expect([code, stderr]).toEqual([1, expect.stringContaining('moved belongs to the file, beside releases')]);
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

describe('moved: a release that is renamed and then split', () => {
  const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {v: '1'}\n`;
  const both =
    'moved:\n  - {from: shop, to: store}\n  - {from: store, to: database, objects: [ConfigMap/db]}\n' as const;

  beforeEach(async () => {
    folder.write('two/Chart.yaml', 'apiVersion: v2\nname: two\nversion: 0.1.0\n');
    folder.write('two/templates/all.yaml', `${map('db')}---\n${map('web')}`);
    write('  - {name: shop, namespace: shop, chart: ./two}\n');
    await folder.stack('apply');
    folder.write('two/templates/all.yaml', map('web'));
    write(`  - {name: store, namespace: shop, chart: ./two}\n${named('database', 'db')}`, both);
  });

  const titles = [
    'rename release shop in shop to store',
    'move 1 object from release store in shop to release database',
  ];

  test('diff and plan show both moves first, in their order, and what is changed after them', async () => {
    for (const words of [['diff'], ['plan'], ['diff', '-o', 'markdown'], ['plan', '-o', 'markdown']]) {
      const { code, stdout } = await folder.stack(words[0] as string, ...words.slice(1), '--exit-code');
      const places = titles.map((title) => stdout.indexOf(title));
      expect([words, code, places.includes(-1)]).toEqual([words, 2, false]);
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(stdout).not.toMatch(/belongs to release|release-name/);
    }
  });

  test('the JSON of a plan has them as actions, and the counts are those of the run', async () => {
    const { code, stdout } = await folder.stack('plan', '-o', 'json');
    const actions = JSON.parse(stdout) as { action: string; changes?: { summary: Record<string, number> } }[];
    expect([code, actions.map(({ action }) => action)]).toEqual([0, ['rename', 'move', 'upgrade']]);
    expect(actions[2]?.changes?.summary).toMatchObject({ unchanged: 1, change: 0 });
    const run = await folder.stack('apply');
    expect([run.code, run.stderr]).toEqual([0, expect.stringMatching(/shop\/store: unchanged/)]);
    expect(run.stderr).toMatch(/shop\/database: upgraded to revision 2/);
    const { stdout: after } = await folder.stack('plan', '-o', 'json');
    expect(JSON.parse(after)).toEqual([]);
  });

  test('a plan with them is not saved, and says so', async () => {
    const { code, stderr } = await folder.stack('plan', '--out', `${folder.path}/stack.plan`);
    expect([code, stderr]).toEqual([1, expect.stringContaining('a saved plan does not carry out')]);
  });
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

test('a reference that is no NAMESPACE/NAME is told with its line', async () => {
  write(releaseText('other'), 'moved:\n  - to: other\n    from: a/b/c\n');
  const { code, stderr } = await folder.stack('apply');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/helmfile\.yaml:3: moved: from must be NAME or NAMESPACE\/NAME of a release: a\/b\/c/),
  ]);
});

describe('moved: an object that no release has', () => {
  const moved = (object: string): string => `moved:\n  - from: whole\n    to: part\n    objects:\n      - ${object}\n`;
  const neither = /helmfile\.yaml:5: moved: neither release shop\/whole nor shop\/part has Foo\/bar/;

  test.each([
    ['Foo/bar', neither],
    ['a/b/c/d', /"a\/b\/c\/d" is not the name of an object.*helmfile\.yaml:5\)/],
  ])('%s is told with its line before anything is deployed', async (object, message) => {
    write(releaseText('whole'));
    await folder.stack('apply');
    write(`${releaseText('whole')}${releaseText('part')}`, moved(object));
    for (const verb of ['plan', 'apply']) {
      const { code, stderr } = await folder.stack(verb);
      expect([verb, code, stderr]).toEqual([verb, 1, expect.stringMatching(message)]);
    }
    expect(await revisions('part')).toBe('none');
  });

  test('an object that the chart of the new release brings is none of it: nothing was moved in this cluster', async () => {
    write(releaseText('whole'));
    await folder.stack('apply');
    write(`${releaseText('whole')}${named('part', 'fresh')}`, moved('ConfigMap/fresh'));
    const { code, stderr } = await folder.stack('apply');
    expect([code, stderr]).toEqual([0, expect.stringMatching(/shop\/part: installed/)]);
  });
});
