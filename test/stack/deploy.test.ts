import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestSandbox, tshelm } from '../cli/harness.ts';

/** Stacks that are deployed to the sandbox. */
let sandbox: ReturnType<typeof openTestSandbox>;
let folder: string;
const file = (): string => join(folder, 'helmfile.yaml');
const stack = (verb: string, ...words: string[]) => sandbox.run('stack', verb, '-f', file(), ...words);

function write(name: string, text: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
}

const release = (name: string, more = ''): string =>
  `  - name: ${name}\n    namespace: shop\n    chart: ./chart\n    values: [{v: 1}]\n${more}`;

beforeEach(() => {
  sandbox = openTestSandbox();
  folder = mkdtempSync(join(tmpdir(), 'tshelm-stack-'));
  write('chart/Chart.yaml', 'apiVersion: v2\nname: chart\nversion: 0.1.0\n');
  write(
    'chart/templates/map.yaml',
    'apiVersion: {{ .Values.version | default "v1" }}\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\ndata: {v: {{ .Values.v | quote }}}\n',
  );
});
afterEach(() => {
  sandbox.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** The lines on releases that are over. */
const withoutTimes = (text: string): string[] =>
  text
    .replace(/ \([\d.]+ s\)/g, '')
    .split('\n')
    .filter((line) => line.startsWith('['));

describe('stack apply', () => {
  test('installs in the order of needs, and upgrades only what changes', async () => {
    write('helmfile.yaml', `releases:\n${release('web', '    needs: [db]\n')}${release('db')}`);
    const first = await stack('apply');
    expect(withoutTimes(first.stderr)).toEqual(['[1/2] shop/db: installed', '[2/2] shop/web: installed']);
    write('helmfile.yaml', readFileSync(file(), 'utf8').replace('v: 1', 'v: 2'));
    const second = await stack('apply');
    expect(withoutTimes(second.stderr)).toEqual(['[1/2] shop/db: unchanged', '[2/2] shop/web: upgraded to revision 2']);
    const synced = await stack('sync');
    expect(withoutTimes(synced.stderr)[0]).toBe('[1/2] shop/db: upgraded to revision 2');
  });

  test('a hook whose name is random does not upgrade a release; what is random otherwise does, and is named', async () => {
    write(
      'chart/templates/hook.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "a-{{ randAlphaNum 9 | lower }}", annotations: {helm.sh/hook: pre-upgrade}}\n',
    );
    write('helmfile.yaml', `releases:\n${release('web')}`);
    await stack('apply');
    expect(withoutTimes((await stack('apply')).stderr)).toEqual(['[1/1] shop/web: unchanged']);
    expect((await stack('plan')).stderr).toBe('unchanged: shop/web\n');
    write(
      'chart/templates/token.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: token}\ndata: {v: "{{ randAlphaNum 9 }}"}\n',
    );
    await stack('apply');
    const { stderr } = await stack('apply');
    expect(withoutTimes(stderr)).toEqual(['[1/1] shop/web: upgraded to revision 3']);
    expect(stderr).toContain(
      'shop/web is upgraded: chart and values are the same, but what the chart renders of them is not: ConfigMap/token (data.v)',
    );
    rmSync(join(folder, 'chart/templates/hook.yaml'));
    rmSync(join(folder, 'chart/templates/token.yaml'));
  });

  test('a failed release stops only those that need it, and the command says which', async () => {
    const broken = release('broken').replace('{v: 1}', '{v: 1, version: no/such}');
    write('helmfile.yaml', `releases:\n${broken}${release('after', '    needs: [broken]\n')}${release('other')}`);
    const { code, stderr } = await stack('apply');
    expect(code).toBe(1);
    expect(stderr).toContain('shop/other: installed');
    expect(stderr).toContain('Error: 1 of 3 releases failed, 1 left out:');
    expect(stderr).toContain('shop/after: left out (needs shop/broken)');
    expect((await stack('status')).stdout).toMatch(/shop\/after +yes +not installed/);
  });

  test('--progress=json: standard error is events alone, the failure in the last one', async () => {
    const broken = release('broken').replace('{v: 1}', '{v: 1, version: no/such}');
    write('helmfile.yaml', `releases:\n${broken}${release('after', '    needs: [broken]\n')}${release('other')}`);
    const { code, stderr } = await stack('apply', '--progress=json');
    const events = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(code).toBe(1);
    expect(events[0]).toMatchObject({ type: 'stack-started', releases: [{}, {}, {}] });
    expect(events.find(({ type, id }) => type === 'resource' && id === 'shop/other')).toMatchObject({
      object: { kind: 'Namespace' },
      release: 'other',
    });
    expect(events.find(({ type }) => type === 'release-left-out')).toMatchObject({ reason: 'needs shop/broken' });
    expect(events.at(-1)).toMatchObject({
      type: 'stack-finished',
      counts: { done: 1, failed: 1, leftOut: 1 },
      error: { code: 'stack-failed' },
    });
  });

  test('what is not wanted any more goes; destroy takes away who needs before who is needed', async () => {
    write('helmfile.yaml', `releases:\n${release('db')}${release('web', '    needs: [db]\n')}${release('old')}`);
    await stack('sync');
    write('helmfile.yaml', `${readFileSync(file(), 'utf8')}    installed: false\n`);
    expect((await stack('apply')).stderr).toContain('shop/old: uninstalled');
    expect(withoutTimes((await stack('destroy')).stderr)).toEqual([
      '[1/3] shop/old: not installed',
      '[2/3] shop/web: uninstalled',
      '[3/3] shop/db: uninstalled',
    ]);
    expect((await stack('status')).stdout).not.toContain('deployed');
  });

  test('needs name releases of other files', async () => {
    write('apps/a.yaml', `releases:\n${release('front', '    needs: [back]\n').replace('./chart', '../chart')}`);
    write('apps/b.yaml', `releases:\n${release('back').replace('./chart', '../chart')}`);
    write('helmfile.yaml', 'helmfiles: [apps/*.yaml]\n');
    const { stderr } = await stack('apply');
    expect(withoutTimes(stderr)).toEqual(['[1/2] shop/back: installed', '[2/2] shop/front: installed']);
    expect((await stack('template')).stdout.match(/name: "\w+"/g)).toEqual(['name: "front"', 'name: "back"']);
    expect((await stack('lint')).code).toBe(0);
    expect((await stack('dag')).stdout.split(/\s+/)).toEqual(
      'GROUP RELEASE DEPENDENCIES 1 shop/back 2 shop/front shop/back '.split(' '),
    );
    expect((await stack('dag', '-o', 'html')).stdout).not.toContain('comes after the previous file');
    write('apps/b.yaml', 'releases: []\n');
    expect((await stack('template')).stderr).toContain('depend(s) on an undefined release "shop/back"');
  });

  test('of several files, the one with a mistake is named, and those that name the same release', async () => {
    write('apps/a/helmfile.yaml', `releases:\n${release('one')}`);
    write('apps/b/helmfile.yaml', `releases:\n${release('one')}`);
    write('helmfile.yaml', 'helmfiles: [apps/*/helmfile.yaml]\n');
    const files = ['a', 'b'].map((name) => join(folder, 'apps', name, 'helmfile.yaml'));
    expect((await stack('apply')).stderr).toContain(
      `matching specified selector (${files.map((file) => `${file}:2`).join(', ')}): rename one`,
    );
    write('apps/b/helmfile.yaml', 'releases:\n- {name: one, chart: x, instaled: false}\n');
    expect((await stack('list')).stderr).toMatch(`Error: in ${files[1]}: failed to read helmfile.yaml`);
  });

  test.each([
    ['vals', '    set: [{name: w, value: ref+vault://x#/y}]\n', 'ref+vault://x#/y'],
    ['vals', '    values: [v.yaml]\n', 'ref+vault://zz'],
    ['sops', '    secrets: [v.yaml]\n', 'v.yaml'],
  ])('without the program %s, nothing is sent where a later release has %j', async (program, more, reference) => {
    write('v.yaml', 'w: ref+vault://zz\n# ref+sops://not-meant\n');
    const last = release('last', more).replace(more.startsWith('    values') ? /    values: \[\{.*\n/ : /$^/, '');
    write('helmfile.yaml', `releases:\n${release('first')}${last}`);
    const env = { PATH: join(folder, 'bin') };
    const words = ['stack', 'apply', '-f', file(), '--sandbox-dir', sandbox.directory];
    const { code, stderr } = await tshelm(words, { env });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Error: .* with the program "\w+": exec: "\w+": executable file not found/),
    ]);
    expect(stderr).toContain(`${reference} with the program "${program}"`);
    expect((await stack('status')).stdout).toMatch(/shop\/first +yes +not installed/);
    write(`bin/${program}`, '#!/bin/sh\necho "w: found"\n');
    chmodSync(join(folder, 'bin', program), 0o755);
    expect((await tshelm(words, { env })).stderr).toContain('shop/last: installed');
  });

  test('hooks around what is destroyed or left alone are those of helmfile', async () => {
    const events = ['prepare', 'presync', 'postsync', 'preuninstall', 'postuninstall', 'cleanup'];
    const hooks = `    hooks: [{events: [${events}], command: sh, args: ['-c', 'echo $0 >> events', '{{.HelmfileCommand}}-{{.Event.Name}}']}]\n`;
    write('helmfile.yaml', `releases:\n${release('web', hooks)}`);
    const told = async (verb: string): Promise<readonly string[]> => {
      write('events', '');
      expect((await stack(verb)).code).toBe(0);
      return readFileSync(join(folder, 'events'), 'utf8').trimEnd().split('\n');
    };
    expect(await told('apply')).toEqual(['apply-prepare', 'apply-presync', 'apply-postsync', 'apply-cleanup']);
    expect(await told('apply')).toEqual(['apply-prepare', 'apply-cleanup']);
    expect(await told('destroy')).toEqual(['destroy-prepare', 'delete-preuninstall', 'delete-postuninstall']);
    expect(await told('destroy')).toEqual(['destroy-prepare', 'delete-cleanup']);
    write('helmfile.yaml', `releases:\n${release('web', `${hooks}    installed: false\n`)}`);
    expect(await told('sync')).toEqual(['sync-cleanup']);
    expect(await told('destroy')).toEqual(['delete-cleanup']);
    write('helmfile.yaml', `releases:\n${release('web', '    hooks: [{events: [cleanup], command: "false"}]\n')}`);
    const { code, stderr } = await stack('destroy');
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('warning: shop/web: hook[false]: command `false` failed'),
    ]);
  });

  test('hooks run around their release, in the folder of the file, and a failing one fails it', async () => {
    const hooks = `    hooks:
      - events: [presync, postsync]
        showlogs: true
        command: sh
        args: [-c, "echo {{\`{{ .Event.Name }} {{ .Release.Name }}\`}}; echo {{\`{{ .Event.Name }}\`}} >> events"]
`;
    write('helmfile.yaml.gotmpl', `releases:\n${release('web', hooks)}`);
    const { stderr } = await sandbox.run('stack', 'sync', '-f', join(folder, 'helmfile.yaml.gotmpl'));
    expect(stderr).toContain('hook[presync] logs | presync web\n');
    expect(readFileSync(join(folder, 'events'), 'utf8')).toBe('presync\npostsync\n');
    write('helmfile.yaml', `releases:\n${release('bad', '    hooks: [{events: [presync], command: "false"}]\n')}`);
    const failed = await stack('sync');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('hook[false]: command `false` failed');
    expect((await stack('status')).stdout).toMatch(/shop\/bad +yes +not installed/);
  });

  test('what is about the change alone does not keep a release from being rendered', async () => {
    write('helmfile.yaml', `helmDefaults:\n  recreatePods: true\nreleases:\n${release('web')}`);
    expect((await stack('template')).stdout).toContain('kind: ConfigMap');
    expect((await stack('apply')).stderr).toContain('helmfile.yaml:2: helmDefaults.recreatePods is not supported');
  });

  test('words for Helm are read as the flags that they are', async () => {
    const defaults = `helmDefaults:
  templateArgs: ["--set of=template"]
  syncArgs: [--set of=sync --set v=under, --description told]
  args:
    - --set-string all=1
    - "--timeout 99s"
`;
    write(
      'chart/templates/words.yaml',
      'kind: Words\napiVersion: v1\nmetadata: {name: w}\n# {{ .Values.of }} {{ .Values.all }}\n',
    );
    write('helmfile.yaml', `${defaults}releases:\n${release('web', '    set: [{name: v, value: own}]\n')}`);
    const { stdout } = await stack('template');
    expect(stdout).toContain('# template 1\n');
    expect(stdout).toContain('v: "own"');
    write('chart/templates/words.yaml', '');
    await stack('apply');
    expect((await sandbox.run('get', 'values', 'web', '-n', 'shop')).stdout).toContain('all: "1"\nof: sync\nv: own\n');
    expect((await sandbox.run('history', 'web', '-n', 'shop')).stdout).toContain('told');
    write('helmfile.yaml', `helmDefaults:\n  syncArgs: [--wiat]\nreleases:\n${release('web')}`);
    expect((await stack('apply')).stderr).toContain('helmfile.yaml:2: helmDefaults.syncArgs: unknown flag: --wiat');
  });

  test('diffArgs are the flags of a comparison', async () => {
    write('chart/templates/secret.yaml', 'kind: Secret\napiVersion: v1\nmetadata: {name: s}\ndata: {p: aHVzaGVk}\n');
    const defaults = 'helmDefaults:\n  diffArgs: [--show-secrets --context 0, --three-way-merge]\n';
    write('helmfile.yaml', `releases:\n${release('web')}`);
    expect((await stack('diff')).stdout).not.toContain('aHVzaGVk');
    write('helmfile.yaml', `${defaults}releases:\n${release('web')}`);
    expect((await stack('diff')).stdout).toContain('aHVzaGVk');
    await stack('apply');
    write('helmfile.yaml', `${defaults}releases:\n${release('web').replace('v: 1', 'v: 2')}`);
    const { stdout } = await stack('diff');
    expect(stdout).toContain('+  v: "2"');
    expect(stdout).not.toContain('kind: ConfigMap');
    write('helmfile.yaml', `helmDefaults:\n  diffArgs: [--nonsense]\nreleases:\n${release('web')}`);
    expect((await stack('diff')).stderr).toContain('helmfile.yaml:2: helmDefaults.diffArgs: unknown flag: --nonsense');
  });

  test('updateStrategy: what may not be changed in place is made again', async () => {
    const set = (name: string): string =>
      `apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: set}\nspec: {serviceName: ${name}, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}\n`;
    write('chart/templates/set.yaml', set('one'));
    const hooks =
      "    hooks: [{events: [preuninstall, postuninstall], command: sh, args: ['-c', 'echo {{.Event.Name}} >> events']}]\n";
    const strategy = '    updateStrategy: reinstallIfForbidden\n';
    write('helmfile.yaml', `releases:\n${release('web', hooks)}`);
    expect((await stack('apply')).code).toBe(0);
    write('chart/templates/set.yaml', set('two'));
    expect((await stack('apply')).stderr).toContain('updates to statefulset spec');
    write('helmfile.yaml', `releases:\n${release('web', hooks + strategy)}`);
    const { code, stderr } = await stack('apply');
    expect([code, stderr]).toEqual([0, expect.stringContaining('updateStrategy: reinstallIfForbidden')]);
    expect((await stack('status')).stdout).toMatch(/shop\/web +yes +deployed +1 /);
    expect((await sandbox.run('get', 'manifest', 'web', '-n', 'shop')).stdout).toContain('serviceName: two');
    expect(readFileSync(join(folder, 'events'), 'utf8')).toBe('preuninstall\npostuninstall\n');
  });

  test('updateStrategy: a log with the words of a forbidden change reinstalls nothing', async () => {
    const said = 'StatefulSet.apps "db" is invalid: spec: Forbidden: updates to statefulset spec are forbidden';
    const pod = (fate: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: "web-${fate}", annotations: {sandbox.tshelm.dev/fate: ${fate}, sandbox.tshelm.dev/log: '${said}'}}\nspec: {restartPolicy: Never, containers: [{name: c, image: i}]}\n`;
    const strategy = '    updateStrategy: reinstallIfForbidden\n    wait: true\n';
    write('chart/templates/pod.yaml', pod('ok'));
    write('helmfile.yaml', `releases:\n${release('web', strategy)}`);
    expect((await stack('apply')).code).toBe(0);
    write('chart/templates/pod.yaml', pod('fail'));
    const { code, stderr } = await stack('apply');
    expect(code).toBe(1);
    expect(stderr).toContain('Forbidden: updates to statefulset spec');
    expect(stderr).not.toContain('reinstalled');
    expect((await stack('status')).stdout).toMatch(/shop\/web +yes +failed +2 /);
  });

  test('what is not supported is refused with its line before anything is done', async () => {
    const patched = release('patched', '    adopt: [deployment/web]\n');
    write('helmfile.yaml', `releases:\n${release('first')}${patched}`);
    const { code, stderr } = await stack('apply');
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Error: ${file()}:10: release patched: adopt is not supported; Helm has no such flag; use takeOwnership\n`,
    );
    write(
      'helmfile.yaml',
      `releases:\n${release('first', '    values: [s3::https://example.com/v.yaml]\n').replace('    values: [{v: 1}]\n', '')}`,
    );
    expect((await stack('template')).stderr).toContain(
      `nothing fetches s3::https://example.com/v.yaml: use https://, http://, oci:// or git+https:// (${file()}:5)`,
    );
    write('helmfile.yaml', `releases:\n${release('first')}`);
    expect((await stack('status')).stdout).toContain('not installed');
  });
});

describe('stack diff', () => {
  test('shows what apply would change, and tells by its exit code with --detailed-exitcode', async () => {
    write('helmfile.yaml', `releases:\n${release('web')}`);
    await stack('apply');
    expect((await stack('diff', '--detailed-exitcode')).code).toBe(0);
    write('helmfile.yaml', readFileSync(file(), 'utf8').replace('v: 1', 'v: 2'));
    const { code, stdout } = await stack('diff', '--detailed-exitcode');
    expect(code).toBe(2);
    expect(stdout).toContain('-  v: "1"\n+  v: "2"\n');
    expect((await stack('diff', '-o', 'markdown')).stdout).toContain('1 of 1 release would change');
  });

  test('counts what does not change, and sends nothing for it', async () => {
    write('helmfile.yaml', `releases:\n${release('web')}${release('api')}${release('db')}`);
    await stack('apply');
    const { stdout, stderr } = await stack('diff', '-v', '6');
    expect(stdout).toBe('no changes in 3 releases\n');
    const requests = stderr.split('\n').filter((line) => line.startsWith('debug: '));
    expect(requests.filter((line) => line.includes('PATCH'))).toEqual([]);
    expect(requests.filter((line) => line.includes('/secrets'))).toHaveLength(1);
    write('helmfile.yaml', readFileSync(file(), 'utf8').replace('v: 1', 'v: 2'));
    const changed = await stack('diff', '-C', '0');
    expect(changed.stdout).toMatch(/^upgrade web in shop[^]*\n1 to change\n\nno changes in 2 releases\n$/);
  });

  test('shows what somebody else has changed in a release that would stay as it is', async () => {
    write('helmfile.yaml', `releases:\n${release('web')}`);
    await stack('apply');
    const thief = ['thief', join(folder, 'chart'), '-n', 'shop', '--set', 'name=web', '--take-ownership'];
    write(
      'chart/templates/map.yaml',
      readFileSync(join(folder, 'chart/templates/map.yaml'), 'utf8').replace(
        '.Release.Name',
        '.Values.name | default .Release.Name',
      ),
    );
    expect((await sandbox.run('install', ...thief)).code).toBe(0);
    expect((await stack('diff')).stdout).toContain(
      '-    meta.helm.sh/release-name: thief\n+    meta.helm.sh/release-name: web\n',
    );
  });
});
