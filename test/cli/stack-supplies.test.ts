import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadChart } from '../../src/chart/load.ts';
import { chartArchive } from '../../src/source/package/archive-writer.ts';
import { serve } from '../source/http/server.ts';
import { fakeRegistry } from '../source/oci/fake-registry.ts';
import { type Ran, tshelm } from './harness.ts';

// `stack repos|deps|fetch`; test/e2e/stack/supplies.test.ts compares them with helmfile.
let folder: string;
let url: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-supplies-'));
  const files = new Map<string, Buffer | string>();
  for (const version of ['1.0.0', '1.2.0']) {
    write('web/Chart.yaml', `apiVersion: v2\nname: web\nversion: ${version}\n`);
    files.set(
      `/web-${version}.tgz`,
      Buffer.from(await chartArchive(await loadChart(join(folder, 'web')), new Date(0))),
    );
  }
  const entry = (version: string): string =>
    `  - {name: web, apiVersion: v2, version: ${version}, urls: [web-${version}.tgz]}\n`;
  files.set('/index.yaml', `apiVersion: v1\nentries:\n  web:\n${entry('1.2.0')}${entry('1.0.0')}`);
  ({ url } = await serve((request, response) => {
    const file = files.get(request.url ?? '');
    response.writeHead(file === undefined ? 404 : 200).end(file);
  }));
  write(
    'local/Chart.yaml',
    `apiVersion: v2\nname: local\nversion: 1.0.0\ndependencies: [{name: web, version: 1.x, repository: '${url}'}]\n`,
  );
  write(
    'helmfile.yaml',
    `repositories:
- {name: own, url: '${url}'}
releases:
- {name: a, chart: own/web, version: 1.0.0}
- {name: b, chart: own/web, namespace: x}
- {name: l, chart: ./local}
- {name: off, chart: own/web, installed: false}
`,
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const stack = (line: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  tshelm(['stack', ...line.split(' '), '-f', join(folder, 'helmfile.yaml')], {
    env: { HELM_CACHE_HOME: join(folder, 'cache'), HELM_CONFIG_HOME: join(folder, 'config'), ...env },
  });
const filesIn = (path: string): readonly string[] =>
  readdirSync(join(folder, path), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(join(folder, path).length + 1))
    .sort();

describe('repos', () => {
  test("the repositories come to Helm's list, with what variables say", async () => {
    const env = { OWN_USERNAME: 'me', OWN_PASSWORD: 'hunter22' };
    expect(await stack('repos', env)).toEqual({
      code: 0,
      stdout: '"own" has been added to your repositories\n',
      stderr: '',
    });
    expect(read('config/repositories.yaml')).toMatch(/name: own[\s\S]*password: hunter22[\s\S]*username: me/);
    expect(await stack('repos')).toMatchObject({ code: 0 });
    expect(read('config/repositories.yaml')).not.toContain('hunter22');
  });

  test('a registry with a password is signed in to', async () => {
    const registry = await fakeRegistry();
    write(
      'helmfile.yaml',
      `repositories:\n- {name: own, url: '${registry.host}/charts', oci: true, plainHttp: true}\nreleases: []\n`,
    );
    expect((await stack('repos')).stdout).toBe('');
    const signedIn = await stack('repos', { OWN_USERNAME: 'me', OWN_PASSWORD: 'hunter22' });
    expect(signedIn).toEqual({ code: 0, stdout: `Login to ${registry.host} succeeded\n`, stderr: '' });
  });

  test('what cannot be added is named with its line', async () => {
    write('helmfile.yaml', `repositories:\n- name: own\n  url: ''\n  managed: acr\nreleases: []\n`);
    const { code, stderr } = await stack('repos');
    expect(code).toBe(1);
    expect(stderr).toContain(`repository own: managed: acr is not supported`);
    expect(stderr).toContain(`${join(folder, 'helmfile.yaml')}:2`);
  });
});

describe('deps', () => {
  test('charts in folders are filled, and the others pinned', async () => {
    expect(await stack('deps')).toMatchObject({ code: 0 });
    expect(filesIn('local')).toEqual(['Chart.lock', 'Chart.yaml', 'charts/web-1.2.0.tgz']);
    const locked = `version: v1.8.0
dependencies:
  - name: web
    repository: ${url}
    version: 1.0.0
  - name: web
    repository: ${url}
    version: 1.2.0
digest: sha256:`;
    expect(read('helmfile.lock').slice(0, locked.length)).toBe(locked);
  });

  test('a lock that fits no more is written anew, and one that fits stays', async () => {
    await stack('deps --skip-repos -l name=a');
    expect(existsSync(join(folder, 'config/repositories.yaml'))).toBe(false);
    const lock = read('helmfile.lock');
    await stack('deps --skip-repos -l name=a');
    expect(read('helmfile.lock')).toBe(lock);
    write('helmfile.yaml', read('helmfile.yaml').replace('version: 1.0.0', 'version: ^1.1.0'));
    expect((await stack('list')).stderr).toContain('no resolved dependency found for "web"');
    expect(await stack('deps --skip-repos')).toMatchObject({ code: 0 });
    expect(read('helmfile.lock')).not.toContain('1.0.0');
  });
});

describe('fetch', () => {
  test('each chart comes to a folder of its release', async () => {
    expect(await stack('fetch -q --output-dir out')).toMatchObject({ code: 0, stdout: '' });
    expect(filesIn('out')).toEqual([
      'a/own/web/1.0.0/web/Chart.yaml',
      'l/local/latest/Chart.lock',
      'l/local/latest/Chart.yaml',
      'l/local/latest/charts/web-1.2.0.tgz',
      'x/b/own/web/latest/web/Chart.yaml',
    ]);
    // Once more, over what is there.
    expect(await stack('fetch -q --output-dir out')).toMatchObject({ code: 0 });
  });

  test('the state that is printed has them there', async () => {
    const { code, stdout } = await stack('fetch --output-dir out --write-output -l name!=l');
    expect(code).toBe(0);
    write('here/helmfile.yaml', stdout.replaceAll('chart: out', 'chart: ../out'));
    rmSync(join(folder, 'cache'), { recursive: true });
    const template = `stack template -f ${join(folder, 'here/helmfile.yaml')}`.split(' ');
    expect(await tshelm(template, { env: { TSHELM_OFFLINE: 'true' } })).toMatchObject({ code: 0, stderr: '' });
  });

  test('without a folder nothing stays, and a template names the folders', async () => {
    expect(await stack('fetch -q')).toMatchObject({ code: 0 });
    expect(
      await stack('fetch -q -l name=b --output-dir out --output-dir-template {{.OutputDir}}/{{.Release.Name}}'),
    ).toMatchObject({ code: 0 });
    expect(filesIn('out')).toEqual(['b/web/Chart.yaml']);
  });

  test('mistakes', async () => {
    expect((await stack('fetch --write-output')).stderr).toBe(
      'Error: --output-dir is required when --write-output is set\n',
    );
    write(
      'helmfile.yaml',
      `helmfiles: [other.yaml]\n${read('helmfile.yaml').replace('own/web, version: 1.0.0', 'own/gone')}`,
    );
    write('other.yaml', 'releases: [{name: o, chart: ./web}]\n');
    expect((await stack('fetch --output-dir out --write-output')).stderr).toContain('there are 2');
    const { code, stderr } = await stack('fetch --output-dir out');
    expect(code).toBe(1);
    expect(stderr).toContain(`${join(folder, 'helmfile.yaml')}:5`);
  });
});

test.each([
  ['oci://registry.example.com/charts/web', 'forceGoGetter'],
  ['./local', 'forceGoGetter'],
  ['s3::https://bucket.s3.amazonaws.com/web', 'chart'],
])('forceGoGetter with %s is refused with its line', async (chart, field) => {
  write('helmfile.yaml', `releases:\n- name: a\n  chart: ${chart}\n  forceGoGetter: true\n`);
  const { code, stderr } = await stack('template');
  expect(code).toBe(1);
  expect(stderr).toContain(
    `${join(folder, 'helmfile.yaml')}:${field === 'chart' ? 3 : 4}: release a: ${field} is not supported`,
  );
});

test('forceGoGetter with the URL of an archive is what is done anyway', async () => {
  write('helmfile.yaml', `releases:\n- {name: a, chart: '${url}/web-1.0.0.tgz', forceGoGetter: true}\n`);
  expect(await stack('template')).toMatchObject({ code: 0 });
});
