import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tshelmPath } from '../support/programs.ts';
import { addChart, type Repository, startRepository } from './repository.ts';
import { s3Key, startS3 } from './s3-stand-in.ts';
import { bin } from './sides.ts';

/**
 * The plugins that teams have, from their own repositories, under Helm 3, Helm 4 and tshelm. By hand: TSHELM_PLUGIN_SOURCES
 * names a folder with checkouts of helm-secrets, helm-git, helm-s3 and helm-unittest; without it this is skipped. The programs
 * of helm-s3 are not built: a script that signs as it does takes their place. helm-diff is built in.
 */
const sources = process.env['TSHELM_PLUGIN_SOURCES'] ?? '';
const names = ['helm-secrets', 'helm-git', 'helm-s3', 'helm-unittest'];
const isThere = sources !== '' && names.every((name) => existsSync(join(sources, name, 'plugin.yaml')));

/** A program, and whether the plugins are in their form for Helm 3 or in that for Helm 4. */
const sides = {
  helm3: ['helm3', 3],
  helm4: ['helm', 4],
  'tshelm-plugins-3': ['tshelm', 3],
  'tshelm-plugins-4': ['tshelm', 4],
} as const;
type Side = keyof typeof sides;

describe.skipIf(!isThere)('plugins from their repositories', () => {
  const root = mkdtempSync(join(tmpdir(), 'tshelm-plugins-'));
  const work = join(root, 'work');
  let s3: Awaited<ReturnType<typeof startS3>>;
  let charts: Repository;

  beforeAll(async () => {
    charts = await startRepository(join(root, 'charts'));
    s3 = await startS3(charts.folder);
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(work, path)), { recursive: true });
      writeFileSync(join(work, path), text);
    };
    for (const name of ['chart', 'repository/web']) {
      write(`${name}/Chart.yaml`, `apiVersion: v2\nname: ${name.split('/').at(-1)}\nversion: 1.0.0\n`);
      write(
        `${name}/templates/a.yaml`,
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {p: "{{ .Values.password }}", f: {{ .Values.file | quote }}}\n',
      );
    }
    write(
      'chart/tests/a_test.yaml',
      'suite: a\ntemplates: [a.yaml]\ntests:\n- it: works\n  set: {password: p}\n  asserts: [{equal: {path: data.p, value: p}}]\n',
    );
    addChart(charts, join(work, 'repository/web'));
    execFileSync(join(bin, 'helm'), ['repo', 'index', charts.folder, '--url', 's3://bucket']);
    for (const [name, url] of [
      ['git-parent', `git+file://${work}/repository@.?ref=main`],
      ['s3-parent', 's3://bucket'],
    ])
      write(
        `${name}/Chart.yaml`,
        `apiVersion: v2\nname: ${name}\nversion: 1.0.0\ndependencies: [{name: web, version: 1.0.0, repository: "${url}"}]\n`,
      );
    const identity = await generateX25519Identity();
    write('age.txt', `${identity}\n`);
    write('.sops.yaml', `creation_rules: [{age: ${await identityToRecipient(identity)}}]\n`);
    write('plain.yaml', 'password: hunter22\n');
    writeFileSync(join(work, 'secrets.yaml'), execFileSync(join(bin, 'sops'), ['-e', 'plain.yaml'], { cwd: work }));
    const git = (...words: string[]) =>
      execFileSync('git', ['-C', join(work, 'repository'), ...words], { stdio: 'ignore' });
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('-c', 'user.name=jo', '-c', 'user.email=jo@example.com', 'commit', '-qm', 'charts');
    for (const side of Object.keys(sides) as Side[]) install(side);
  });
  afterAll(() => {
    s3.stop();
    charts.stop();
    rmSync(root, { recursive: true });
  });

  function install(side: Side): void {
    const [program, form] = sides[side];
    const plugins = join(root, side, 'plugins');
    mkdirSync(join(root, side, 'bin'), { recursive: true });
    symlinkSync(program === 'tshelm' ? tshelmPath : join(bin, program), join(root, side, 'bin/helm'));
    const split = join(sources, 'helm-secrets/plugins');
    if (form === 4) cpSync(split, plugins, { recursive: true, dereference: true });
    else
      cpSync(join(sources, 'helm-secrets'), join(plugins, 'helm-secrets'), {
        recursive: true,
        filter: (path) => !path.startsWith(split),
      });
    cpSync(join(sources, 'helm-git'), join(plugins, 'helm-git'), { recursive: true });
    cpSync(join(sources, 'helm-unittest'), join(plugins, 'helm-unittest'), { recursive: true });
    const platform = `untt-linux-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`;
    copyFileSync(join(bin, 'unittest'), join(plugins, 'helm-unittest', platform));
    mkdirSync(join(plugins, 'helm-s3/bin'), { recursive: true });
    copyFileSync(join(sources, 'helm-s3/plugin.yaml'), join(plugins, 'helm-s3/plugin.yaml'));
    const download = join(plugins, 'helm-s3/bin/helm-s3');
    writeFileSync(
      download,
      `#!/bin/sh
[ "$1" = download ] || exit 2
for last; do :; done
exec curl -sSf --aws-sigv4 aws:amz:${s3Key.region}:s3 --user ${s3Key.id}:${s3Key.secret} "${s3.url}/\${last#s3://bucket/}"
`,
    );
    chmodSync(download, 0o755);
  }

  const run = (side: Side, line: string) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((done) => {
      const home = join(root, side);
      const env = {
        PATH: `${join(home, 'bin')}:${bin}:${process.env['PATH']}`,
        HOME: home,
        HELM_PLUGINS: join(home, 'plugins'),
        SOPS_AGE_KEY_FILE: join(work, 'age.txt'),
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
      };
      execFile(
        join(home, 'bin/helm'),
        line.replaceAll('WORK', work).replaceAll('HERE', home).split(' '),
        { cwd: work, env },
        (error, stdout, stderr) =>
          done({
            code: error?.code ?? 0,
            stdout: stdout.replaceAll(home, 'HOME'),
            stderr: stderr.replaceAll(home, 'HOME'),
          }),
      );
    });

  test.each([
    ['helm-secrets', ['secrets decrypt secrets.yaml']],
    ['helm-secrets', ['secrets template x chart -f secrets.yaml']],
    ['helm-secrets', ['secrets lint chart -f secrets.yaml']],
    ['helm-secrets', ['secrets --version']],
    ['helm-secrets', ['template x chart -f secrets://secrets.yaml']],
    ['helm-secrets', ['template x chart --set-file file=secrets://secrets.yaml']],
    ['helm-secrets', ['template x chart -f secrets+age-import://WORK/age.txt?secrets.yaml']],
    ['helm-git', ['repo add git git+file://WORK/repository@.?ref=main', 'template x git/web', 'search repo git/web']],
    ['helm-git', ['repo update git', 'show chart git/web']],
    ['helm-s3', ['repo add s3 s3://bucket', 'template x s3/web', 'search repo s3/web']],
    ['helm-s3', ['template x web --repo s3://bucket', 'template x s3://bucket/web-1.0.0.tgz']],
    ['helm-s3', ['dependency update s3-parent', 'template x s3-parent', 'pull s3/web -d HERE']],
    ['helm-s3', ['template x s3://bucket/none-1.0.0.tgz']],
  ] as const)('%s: %j', async (_plugin, lines) => {
    const results = [];
    for (const side of Object.keys(sides) as Side[]) {
      const ran = [];
      for (const line of lines) ran.push(await run(side, line));
      removeDependencies();
      results.push({ side, codes: ran.map(({ code }) => code), stdout: printed(ran.at(-1)?.stdout ?? '') });
    }
    const [helm3, ...others] = results;
    for (const other of others) expect({ ...other, side: '' }, other.side).toEqual({ ...helm3, side: '' });
  });

  /** Spaces at the ends of lines are Helm's in tables. */
  const printed = (text: string): string => text.replace(/[\t ]+$/gm, '');

  const removeDependencies = (): void => {
    for (const name of ['git-parent', 's3-parent'])
      for (const made of ['charts', 'Chart.lock']) rmSync(join(work, name, made), { recursive: true, force: true });
  };

  // Helm joins the archive's name to the repository's URL before helm-git sees it, and helm-git does not find it.
  test('a dependency from git fails in Helm, and works in tshelm, which needs no plugin for it', async () => {
    for (const side of Object.keys(sides) as Side[]) {
      const { code } = await run(side, 'dependency update git-parent');
      expect([side, code]).toEqual([side, side.startsWith('helm') ? 1 : 0]);
      removeDependencies();
    }
  });

  test('helm-unittest: the same verdicts', async () => {
    for (const [set, code] of [
      ['p', 0],
      ['other', 1],
    ] as const) {
      const file = join(work, 'chart/tests/a_test.yaml');
      writeFileSync(
        file,
        `suite: a\ntemplates: [a.yaml]\ntests:\n- it: works\n  set: {password: ${set}}\n  asserts: [{equal: {path: data.p, value: p}}]\n`,
      );
      for (const side of Object.keys(sides) as Side[]) {
        const ran = await run(side, 'unittest chart');
        expect([side, ran.code]).toEqual([side, code]);
        expect(ran.stdout).toMatch(code === 0 ? /Tests:\s+1 passed, 1 total/ : /Tests:\s+1 failed, 0 passed, 1 total/);
      }
    }
  });
});

test.skipIf(spawnSync('curl', ['--version']).status !== 0)('the S3 stand-in checks signatures', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-s3-'));
  writeFileSync(join(folder, 'a'), 'content');
  const server = await startS3(folder);
  const get = (secret: string) =>
    new Promise<string>((done) =>
      execFile(
        'curl',
        ['-s', '--aws-sigv4', `aws:amz:${s3Key.region}:s3`, '--user', `${s3Key.id}:${secret}`, `${server.url}/a`],
        (_error, stdout) => done(stdout),
      ),
    );
  try {
    expect([await get(s3Key.secret), await get('wrong')]).toEqual(['content', 'SignatureDoesNotMatch']);
  } finally {
    server.stop();
    rmSync(folder, { recursive: true });
  }
});
