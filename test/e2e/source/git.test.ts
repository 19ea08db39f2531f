import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GitServer, startGitServer } from '../support/git-server.ts';
import { helm, tshelmIn } from '../support/programs.ts';

/** Charts, values and stacks from git repositories, by the program git. */
const folder = mkdtempSync(join(tmpdir(), 'tshelm-git-'));
const origin = join(folder, 'charts');
const home = join(folder, 'home');
const url = `git+file://${origin}`;
const user = { name: 'jo', password: 's e\\cret%$(x)' };
let server: GitServer;
const commits: Record<string, string> = {};

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', origin, ...args], { stdio: 'pipe' })
    .toString()
    .trim();

function write(path: string, text: string): void {
  mkdirSync(dirname(join(origin, path)), { recursive: true });
  writeFileSync(join(origin, path), text);
}

function commit(name: string): void {
  git('add', '-A');
  git('commit', '-qm', name);
  commits[name] = git('rev-parse', 'HEAD');
}

const configMap = (value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-{{ .Chart.Name }}"}\ndata: {v: ${value}}\n`;

function chart(path: string, rest = ''): void {
  write(`${path}/Chart.yaml`, `apiVersion: v2\nname: ${path.split('/').at(-1)}\nversion: 0.1.0\n${rest}`);
  write(`${path}/values.yaml`, 'v: chart\n');
  write(`${path}/templates/map.yaml`, configMap('"{{ .Values.v }}"'));
}

const env = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  HOME: home,
  HELM_CACHE_HOME: join(home, 'cache'),
  HELM_CONFIG_HOME: join(home, 'config'),
  HELM_DATA_HOME: join(home, 'data'),
  ...more,
});

const tshelm = (words: readonly string[], more?: Record<string, string>) =>
  tshelmIn(folder, [...words], { env: env(more), stdin: '' });

async function printed(words: readonly string[], more?: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await tshelm(words, more);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

beforeAll(async () => {
  mkdirSync(origin);
  git('init', '-q', '-b', 'main');
  git('config', 'user.email', 'jo@example.com');
  git('config', 'user.name', 'jo');
  chart('shared');
  chart('apps/web', 'dependencies: [{name: shared, version: 0.1.0, repository: "file://../../shared"}]\n');
  write('prod.yaml', 'v: one\n');
  symlinkSync('../prod.yaml', join(origin, 'apps/linked.yaml'));
  // What git would leave out of an archive, or change at a checkout, is read as it is.
  write('.gitattributes', '*.yaml export-ignore\nprod.yaml ident eol=crlf\n');
  commit('one');
  git('tag', 'plain');
  git('tag', '-a', 'v1', '-m', 'v1');
  git('branch', 'release/1');
  write('prod.yaml', 'v: two\n');
  commit('two');
  const served = join(folder, 'served');
  execFileSync('git', ['clone', '-q', '--bare', origin, join(served, 'charts.git')]);
  for (const key of ['uploadpack.allowFilter', 'uploadpack.allowAnySHA1InWant'])
    execFileSync('git', ['-C', join(served, 'charts.git'), 'config', key, 'true']);
  server = await startGitServer(served, user);
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a chart with a dependency beside it is the same as in its folder', async () => {
  const local = join(folder, 'local');
  cpSync(origin, local, { recursive: true });
  await printed(['dependency', 'build', join(local, 'apps/web')]);
  const expected = await printed(['template', 'w', join(local, 'apps/web'), '-f', join(local, 'prod.yaml')]);
  expect(await printed(['template', 'w', `${url}@apps/web`, '-f', `${url}@prod.yaml`])).toBe(expected);
  expect(await printed(['template', 'w', `git::file://${origin}//apps/web`, '-f', `${url}@prod.yaml`])).toBe(expected);
});

describe('what a ref means', () => {
  test.each([
    ['', 'two'],
    ['main', 'two'],
    ['release/1', 'one'],
    ['plain', 'one'],
    ['v1', 'one'],
    ['refs/heads/release/1', 'one'],
    ['COMMIT', 'one'],
    ['SHORT', 'one'],
  ])('%j', async (ref, value) => {
    const named = ref
      .replace('COMMIT', commits['one'] as string)
      .replace('SHORT', (commits['one'] as string).slice(0, 9));
    const query = named === '' ? '' : `?ref=${named}`;
    expect(await printed(['template', 'w', `${url}@shared`, '-f', `${url}@apps/linked.yaml${query}`])).toContain(
      `v: "${value}"`,
    );
    const offline = ['template', 'w', `${url}@shared`, '-f', `${url}@apps/linked.yaml${query}`, '--offline'];
    expect(await printed(offline)).toContain(`v: "${value}"`);
  });

  test('one that is not there', async () =>
    expect(await tshelm(['template', 'w', `${url}@shared?ref=v9`])).toMatchObject({
      code: 1,
      stderr: `Error: file://${origin} has no branch, tag or commit "v9"\n`,
    }));
});

test.each([
  ['apps', 'there is no Chart.yaml; charts are in apps/web: name one of them'],
  ['apps/web-9.9.9.tgz', 'there is no Chart.yaml; charts are in apps/web: name one of them'],
  ['prod.yaml/x', 'there is no chart'],
])('a path without a chart: %s', async (path, reason) => {
  const { stderr } = await tshelm(['template', 'w', `${url}@${path}`]);
  expect(stderr).toBe(`Error: ${path} of file://${origin} at ${commits['two']?.slice(0, 12)}: ${reason}\n`);
});

test('a folder of charts is a repository, and a lock file keeps its commit', async () => {
  const own = join(folder, 'own');
  mkdirSync(own);
  const repository = `${url}@?ref=main`;
  const dependency = `{name: web, version: ">=0.1.0", repository: "${repository}"}`;
  writeFileSync(join(own, 'Chart.yaml'), `apiVersion: v2\nname: own\nversion: 1.0.0\ndependencies: [${dependency}]\n`);
  await printed(['dependency', 'update', own]);
  const lock = readFileSync(join(own, 'Chart.lock'), 'utf8');
  expect(lock).toContain(`repository: ${url}@?ref=${commits['two']}\n`);
  const at = git('rev-parse', 'main');
  write('shared/values.yaml', 'v: later\n');
  commit('later');
  rmSync(join(own, 'charts'), { recursive: true });
  await printed(['dependency', 'build', own]);
  expect(await printed(['template', 'w', own])).not.toContain('later');
  git('reset', '-q', '--hard', at);
  expect((await helm.run(['dependency', 'list', own])).stdout).toContain('ok');
  await printed(['repo', 'add', 'root', `${url}?ref=v1`]);
  await printed(['pull', 'root/shared', '-d', own]);
  expect(existsSync(join(own, 'shared-0.1.0.tgz'))).toBe(true);
  await printed(['repo', 'add', 'charts', `${url}@?ref=v1`]);
  expect(await printed(['search', 'repo', 'charts/'])).toMatch(/charts\/shared.*0\.1\.0[^]*charts\/web.*0\.1\.0/);
  expect(await printed(['template', 'w', 'charts/web'])).toContain('w-web');
});

describe('a server that asks who one is', () => {
  const address = (credentials: string): string => `git+http://${credentials}${server.host}/charts.git`;
  const written = (): string => `${user.name}:${encodeURIComponent(user.password)}@`;
  const flags = ['--username', user.name, '--password', user.password];

  test.each(['', '&sparse=1'])('the password of the URL, or of the flags: %j', async (more) => {
    const expected = await printed(['template', 'w', `${url}@apps/web?ref=v1`]);
    expect(await printed(['template', 'w', `${address(written())}@apps/web?ref=v1${more}`])).toBe(expected);
    expect(await printed(['template', 'w', `${address('')}@apps/web?ref=v1${more}`, ...flags])).toBe(expected);
    expect(await printed(['template', 'w', 'web', '--repo', `${address(written())}@?ref=v1${more}`])).toBe(expected);
    expect(await printed(['template', 'w', 'web', '--repo', `${address('')}@?ref=v1${more}`, ...flags])).toBe(expected);
  });

  test('without it nothing is asked of a terminal', async () =>
    expect(await tshelm(['template', 'w', `${address('')}@apps/web`])).toMatchObject({
      code: 1,
      stderr: `Error: cannot read http://${server.host}/charts.git: could not read Username for 'http://${server.host}': terminal prompts disabled\n`,
    }));

  test('a password is in no argument, variable or file of what is run', async () => {
    const programs = join(folder, 'programs');
    const log = join(folder, 'git.log');
    const real = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
    mkdirSync(programs);
    writeFileSync(join(programs, 'git'), `#!/bin/sh\n{ printf '%s\\n' "$@"; env; } >> ${log}\nexec ${real} "$@"\n`);
    chmodSync(join(programs, 'git'), 0o755);
    rmSync(join(home, 'cache'), { recursive: true });
    await printed(['template', 'w', `${address(written())}@apps/web?ref=v1&sparse=1`], {
      PATH: `${programs}:${process.env['PATH']}`,
    });
    const said = readFileSync(log, 'utf8');
    expect(said).toContain('--filter=blob:none');
    for (const secret of [user.password, encodeURIComponent(user.password)]) {
      expect(said).not.toContain(secret);
      const found = execFileSync('sh', ['-c', `grep -rlF -- "$0" ${home} || true`, secret]).toString();
      expect(found).toBe('');
    }
  });
});

test('SSH is asked as git asks it', async () => {
  const ssh = join(folder, 'ssh');
  writeFileSync(ssh, `#!/bin/sh\nshift $(($# - 2)); echo "$1" > ${folder}/host; exec sh -c "$2"\n`);
  chmodSync(ssh, 0o755);
  const words = ['template', 'w', `git::git@server.example:${join(origin, '.git').slice(1)}@apps/web`];
  const moved = words.map((word) => word.replace(`:${origin.slice(1)}`, `:${origin}`));
  const found = await printed(moved, { GIT_SSH_COMMAND: ssh });
  expect(found).toBe(await printed(['template', 'w', `${url}@apps/web`]));
  expect(readFileSync(join(folder, 'host'), 'utf8').trim()).toBe('git@server.example');
});

test('a server that gives no single files is asked for all of them', async () => {
  const ssh = join(folder, 'old-ssh');
  // sshd passes no variable on, so that the server speaks the first version of the protocol.
  writeFileSync(ssh, '#!/bin/sh\nshift $(($# - 2)); unset GIT_PROTOCOL; exec sh -c "$2"\n');
  chmodSync(ssh, 0o755);
  git('config', 'uploadpack.allowFilter', 'true');
  const at = `git+ssh://server.example${origin}/.git@apps/web?ref=v1&sparse=1`;
  const expected = await printed(['template', 'w', `${url}@apps/web?ref=v1`]);
  expect(await printed(['template', 'w', at], { GIT_SSH_COMMAND: ssh })).toBe(expected);
  expect(await printed(['template', 'w', at, '--offline'])).toBe(expected);
});

test('what SSH says is told, and a git that is not there offline too', async () => {
  const ssh = join(folder, 'no-ssh');
  writeFileSync(ssh, '#!/bin/sh\necho "hint: a" >&2; echo "jo@a: Permission denied (publickey)." >&2; exit 255\n');
  chmodSync(ssh, 0o755);
  const at = 'git+ssh://jo@server.example/a@web';
  const { stderr } = await tshelm(['template', 'w', at], { GIT_SSH_COMMAND: ssh });
  expect(stderr).toBe(
    'Error: cannot read ssh://jo@server.example/a: jo@a: Permission denied (publickey); Could not read from remote repository.\n',
  );
  await printed(['template', 'w', `${url}@shared?ref=v1`]);
  const programs = join(folder, 'no-programs');
  mkdirSync(programs);
  symlinkSync(process.execPath, join(programs, 'node'));
  const alone = await tshelm(['template', 'w', `${url}@shared?ref=v1`, '--offline'], { PATH: programs });
  expect(alone.stderr).toContain('cannot run git');
});

describe('a repository of somebody else', () => {
  const marked = join(folder, 'ran');

  beforeAll(() => {
    git('checkout', '-qb', 'hostile');
    chart('pointed');
    write('pointed/large.bin', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n');
    chart('outside');
    symlinkSync('/etc/passwd', join(origin, 'outside/passwd'));
    chart('around');
    symlinkSync('../../../etc', join(origin, 'around/etc'));
    symlinkSync('loop-b', join(origin, 'loop-a'));
    symlinkSync('loop-a', join(origin, 'loop-b'));
    write('.gitattributes', '* filter=evil\n');
    git('config', 'filter.evil.smudge', `touch ${marked}; cat`);
    git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', origin, 'module');
    commit('hostile');
    git('checkout', '-q', 'main');
  });

  test.each([
    ['pointed', 'pointed/large.bin is kept by Git LFS: the repository holds only a pointer to it'],
    ['outside', 'outside/passwd is a link that leads out of the repository'],
    ['around', 'around/etc is a link that leads out of the repository'],
    ['module', 'module is a submodule: what is in it is in another repository'],
    ['module/shared', 'module is a submodule: what is in it is in another repository'],
    ['loop-a', 'loop-b is a link that leads back to itself'],
  ])('%s', async (path, reason) => {
    const at = `${url}@${path}?ref=hostile`;
    expect((await tshelm(['template', 'w', at])).stderr).toBe(`Error: ${at}: ${reason}\n`);
  });

  test('nothing of it runs, and the rest of it is read', async () => {
    const state = join(folder, 'helmfile.yaml');
    writeFileSync(state, `releases:\n- {name: w, chart: "${url}@shared", values: ["${url}@prod.yaml?ref=hostile"]}\n`);
    expect(await printed(['stack', 'template', '-f', state])).toContain('v: "two"');
    expect(existsSync(marked)).toBe(false);
    expect((await tshelm(['stack', 'template', '-f', state, '--untrusted'])).stderr).toContain('it would run git for');
  });
});

test('the record and a saved plan have the commit', async () => {
  const namespace = `git-${process.pid}`;
  const cluster = ['-n', namespace, '--create-namespace'];
  try {
    expect((await tshelm(['install', 'w', `${url}@shared?ref=main`, ...cluster])).code).toBe(0);
    const pinned = `tshelm.dev/chart-url=${url}@shared?ref=${commits['two']}`;
    expect((await helm.run(['get', 'metadata', 'w', '-n', namespace])).stdout).toContain(pinned);
    const plan = join(folder, 'w.plan');
    expect(
      (await tshelm(['plan', 'w', `${url}@shared?ref=main`, '--set', 'v=planned', '-n', namespace, '--out', plan]))
        .code,
    ).toBe(0);
    write('shared/values.yaml', 'v: moved\n');
    commit('moved');
    expect(await tshelm(['apply', plan])).toMatchObject({ code: 0 });
    expect((await helm.run(['get', 'metadata', 'w', '-n', namespace])).stdout).toContain(pinned);
  } finally {
    await tshelm(['uninstall', 'w', '-n', namespace]);
  }
});
