import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSide, type Side, serveFiles } from './sides.ts';

/**
 * Command lines are run by Helm and by tshelm, one after another, each in a home of its own: what they print, their exit
 * codes and, at the end of each scenario, every file must be the same. URL stands for a repository on loopback.
 */
const folder = mkdtempSync(join(tmpdir(), 'tshelm-source-'));
const given = join(folder, 'given');
let server: Awaited<ReturnType<typeof serveFiles>>;

beforeAll(async () => {
  mkdirSync(join(folder, 'gnupg'), { mode: 0o700 });
  const helm = join(process.env['TSHELM_E2E_BIN'] ?? '', 'helm');
  const env = { ...process.env, GNUPGHOME: join(folder, 'gnupg'), SOURCE_DATE_EPOCH: '1700000000' };
  const shell = (script: string): void =>
    void execFileSync('bash', ['-ec', script], { cwd: folder, env, stdio: 'pipe' });
  shell(`
    gpg --batch --passphrase '' --quick-gen-key 'Jo Doe <jo@example.com>' rsa2048 sign never
    gpg --batch --passphrase 'open sesame' --pinentry-mode loopback --quick-gen-key 'Locked <locked@example.com>' ed25519 sign never
    mkdir given served && gpg --export > given/public.gpg && gpg --export --armor > given/public.asc
    gpg --batch --pinentry-mode loopback --passphrase 'open sesame' --export-secret-keys > given/secret.gpg
    cp gnupg/pubring.kbx given/public.kbx
    echo 'open sesame' > given/passphrase; echo wrong > given/wrong
    pack() { '${helm}' create $1; for version in "\${@:2}"; do '${helm}' package $1 --version $version -d served; done; rm -r $1; }
    # Of versions that differ in their build alone, Helm takes either: each chart has one such at most.
    pack red 0.1.0 0.2.0 1.0.0-rc.1; pack blue 0.1.0 0.2.0 1.0.0-rc.1; pack green 0.1.0 0.2.0+build.7
    '${helm}' repo index served && '${helm}' create given/plain && '${helm}' create signed
    '${helm}' package signed -d given --sign --key Jo --keyring given/secret.gpg
    cp -r served given/archives && mkdir given/empty && rm given/archives/index.yaml`);
  server = await serveFiles(join(folder, 'served'));
  writeCharts();
}, 120_000);

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function writeCharts(): void {
  const write = (path: string, text: string): void => {
    mkdirSync(join(given, path, '..'), { recursive: true });
    writeFileSync(join(given, path), text.replaceAll('URL', server.url));
  };
  const head = 'apiVersion: v2\nname: parent\nversion: 1.0.0\n';
  const dependency = (name: string, version: string, repository: string, more = ''): string =>
    `- name: ${name}\n  version: ${JSON.stringify(version)}\n  repository: ${JSON.stringify(repository)}\n${more}`;
  write(
    'parent/Chart.yaml',
    `${head}dependencies:\n${dependency('red', '^0.1.0', 'URL')}${dependency('blue', '<1', '@web', '  alias: sky\n  tags: [x]\n  condition: sky.on\n  import-values: [data, {child: a, parent: b}]\n')}${dependency('near', '*', 'file://near')}${dependency('green', '>=0.2.0', 'URL')}`,
  );
  write('parent/near/Chart.yaml', 'apiVersion: v2\nname: near\nversion: 3.2.1\n');
  write('parent/near/values.yaml', 'a: 1\n');
  write('elsewhere/Chart.yaml', `${head}dependencies:\n${dependency('red', '0.1.0', 'URL/')}`);
  write('unreachable/Chart.yaml', `${head}dependencies:\n${dependency('red', '0.1.0', 'URL/none')}`);
  write(
    'nowhere/Chart.yaml',
    `${head}dependencies:\n${dependency('red', '1', 'web')}${dependency('blue', '1', '@none')}`,
  );
  write('unfit/Chart.yaml', `${head}dependencies:\n${dependency('red', '>=7', 'URL')}`);
  write('gone/Chart.yaml', `${head}dependencies:\n${dependency('near', '*', 'file://../not-there')}`);
  write('old/Chart.yaml', 'apiVersion: v1\nname: old\nversion: 1.0.0\n');
  write('old/requirements.yaml', `dependencies:\n${dependency('red', '0.1.0', 'URL')}`);
  write(
    'unpacked/Chart.yaml',
    `${head}dependencies:\n- name: inner\n  version: 1.x\n- name: missing\n  version: "1"\n`,
  );
  write('unpacked/charts/inner/Chart.yaml', 'apiVersion: v2\nname: inner\nversion: 2.0.0\n');
  write('unpacked/charts/other/Chart.yaml', 'apiVersion: v2\nname: other\nversion: 2.0.0\n');
  // One mistake alone: of several, Helm names whichever Go's map gives first.
  write('unpacked/charts/README.md', 'no chart\n');
  write('bad-version/Chart.yaml', 'apiVersion: v2\nname: bad\nversion: one\n');
  write('starter/Chart.yaml', 'apiVersion: v2\nname: starter\nversion: 1.0.0\n');
  write('starter/values.yaml', '# for <CHARTNAME>\nname: <CHARTNAME>\n');
  write('starter/templates/a.yaml', 'kind: <CHARTNAME>\n');
  write('starter/charts/inner/Chart.yaml', 'apiVersion: v2\nname: inner\nversion: 2.0.0\n');
  write(
    'odd-index.yaml',
    'apiVersion: v1\nentries:\n  red:\n  - name: red\n    version: 9.0.0\n    urls: [x]\n  - name: ""\n    version: 1.0.0\n',
  );
  write('bad-index.yaml', 'apiVersion: v1\nunknown: 1\n');
}

type Line =
  | string
  | {
      readonly words: string;
      readonly stdin?: string;
      readonly env?: Record<string, string>;
      /** It asks at the terminal, where there is none. */
      readonly asks?: boolean;
    };

/** Places by name; folders by XDG, where Helm's own variables are empty. */
const variables: readonly Record<string, string>[] = [
  {
    HELM_REPOSITORY_CONFIG: 'named/repositories.yaml',
    HELM_REPOSITORY_CACHE: 'named/indexes',
    HELM_CONTENT_CACHE: 'named/content',
    HELM_REGISTRY_CONFIG: 'named/registries.json',
  },
  { HELM_CONFIG_HOME: 'home/config', HELM_CACHE_HOME: 'home/cache/', HELM_DATA_HOME: 'home/data' },
  {
    HELM_CONFIG_HOME: '',
    HELM_CACHE_HOME: '',
    HELM_DATA_HOME: '',
    XDG_CONFIG_HOME: 'xdg/config',
    XDG_CACHE_HOME: 'xdg/cache',
    XDG_DATA_HOME: 'xdg/data',
  },
];

const scenarios: Readonly<Record<string, readonly Line[]>> = {
  'repo add, list, update, remove': [
    'repo list',
    'repo list -o json',
    'repo update',
    'repo remove web',
    'search repo',
    'repo add web URL',
    'repo add web URL',
    'repo add web URL/',
    'repo add web URL/ --force-update',
    'repo add bad URL/none',
    'repo add refused http://127.0.0.1:1',
    'repo add a/b URL',
    'repo add ftp ftp://host',
    'repo add old https://kubernetes-charts.storage.googleapis.com',
    'repo add old URL/none?x=//kubernetes-charts.storage.googleapis.com --allow-deprecated-repos',
    'repo add closed URL/closed',
    'repo add closed URL/closed --username me --password secret --pass-credentials --timeout 10s',
    { words: 'repo add piped URL/closed --username me --password-stdin', stdin: 'secret\n' },
    { words: 'repo add asked URL/closed --username me', asks: true },
    'repo add tls URL --ca-file ca.pem',
    'repo add skipped URL --insecure-skip-tls-verify',
    'repo list',
    'repo ls --no-headers',
    'repo list -o yaml',
    'repo update none',
    'repo update closed',
    'repo rm closed none',
    'repo remove piped skipped',
    'repo add',
    'repo list x',
  ],
  'repo index': [
    'repo index archives',
    'repo index archives --url https://host/charts/ --json',
    'repo index archives --url https://host/charts --merge odd-index.yaml',
    'repo index archives --merge new-index.yaml',
    'repo index archives --merge bad-index.yaml',
    'repo index empty',
    'repo index',
  ],
  search: [
    'repo add web URL',
    'search repo',
    'search repo red',
    'search repo RED --devel',
    'search repo web/blue --versions',
    'search repo -l red --version >=0.2.0 -o json',
    'search repo Kubernetes --max-col-width 9',
    'search repo kubernetes --max-col-width 0 -o yaml',
    'search repo -r ^re',
    'search repo -r (',
    'search repo none',
    'search repo none --fail-on-no-result',
    'search repo --version x.y.z',
    'search hub --endpoint nohost red',
    'search hub red --endpoint URL/hub --max-col-width 20 --list-repo-url',
    'search hub red --endpoint URL/hub -o json',
    'search hub none --endpoint URL/emptyhub --fail-on-no-result',
  ],
  'variables that say where the files are': [
    ...['repo add web URL', 'repo list', 'pull web/red', 'template r web/blue', 'search repo', 'repo update'].flatMap(
      (words) => variables.map((env) => ({ words, env })),
    ),
    ...variables.map((env) => ({ words: 'registry logout host', env })),
    ...variables.map((env) => ({ words: 'registry login 127.0.0.1:1 -u me -p secret', env })),
    'repo list',
  ],
  'dependency update and build': [
    'dependency list parent',
    'repo add web URL',
    'dependency update parent',
    'dependency list parent',
    'dep ls parent --max-col-width 8',
    'dependency build parent',
    'dependency build parent --skip-refresh',
    'dep up parent --skip-refresh',
    'package parent -d out',
    'dependency update elsewhere',
    'dependency build elsewhere',
    'dependency update unfit',
    'dependency update nowhere',
    'dependency update gone',
    'dependency update old',
    'dependency build old --skip-refresh',
    'dependency update plain',
    'dependency list plain',
    'dependency list unpacked',
    'dependency update none',
    'dependency update passphrase',
    'dependency list none',
    'dependency build parent other',
  ],
  'dependencies of repositories that nobody added': [
    'dependency update elsewhere',
    'dependency build elsewhere',
    'dependency update unreachable',
    'dependency update parent',
  ],
  'package and create': [
    'create web',
    'create web',
    'create deep/er',
    'create a+b',
    'create mine --starter ROOT/work/starter',
    'create mine -p none',
    'create other --chart-api-version v9',
    'package plain',
    'package plain -d out --version 7.8.9 --app-version beta',
    'package plain --version one',
    'package plain web -d out2',
    'package unpacked',
    'package bad-version',
    'package none',
    'package passphrase',
    { words: 'package plain -d epoch', env: { SOURCE_DATE_EPOCH: '1700000000' } },
    { words: 'package plain', env: { SOURCE_DATE_EPOCH: 'x' } },
    { words: 'package plain', env: { SOURCE_DATE_EPOCH: '-1' } },
    'package parent -d out',
    'package',
  ],
  verify: [
    'verify signed-0.1.0.tgz --keyring public.gpg',
    'verify signed-0.1.0.tgz --keyring public.asc',
    'verify signed-0.1.0.tgz --keyring public.kbx',
    'verify signed-0.1.0.tgz --keyring none',
    'verify signed-0.1.0.tgz --keyring passphrase',
    'verify signed-0.1.0.tgz',
    'verify archives/red-0.1.0.tgz --keyring public.gpg',
    'verify plain --keyring public.gpg',
    'verify passphrase --keyring public.gpg',
    'verify none --keyring public.gpg',
    'package plain --sign --keyring secret.gpg',
    'package plain --sign --key Nobody --keyring secret.gpg -d nobody',
    'package plain --sign --key o --keyring secret.gpg -d vague',
    'package plain --sign --key Jo --keyring public.gpg -d public',
    { words: 'package plain --sign --key Locked --keyring secret.gpg -d asked', asks: true },
    'package plain --sign --key Locked --keyring secret.gpg -d wrong-one --passphrase-file wrong',
    'package plain --sign --key Locked --keyring secret.gpg -d none --passphrase-file none',
  ],
};

describe.each(Object.entries(scenarios))('%s', (name, lines) => {
  const sides: Side[] = [];
  beforeAll(() => {
    const parent = mkdtempSync(join(folder, `${name.replaceAll(/\W/g, '-')}-`));
    const write = (path: string, text: string): void => {
      mkdirSync(join(folder, 'served', path, '..'), { recursive: true });
      writeFileSync(join(folder, 'served', path), text);
    };
    write('hub/api/chartsvc/v1/charts/search', JSON.stringify({ data: [hubChart] }));
    write('emptyhub/api/chartsvc/v1/charts/search', '{}');
    sides.push(openSide('helm', parent, given), openSide('tshelm', parent, given));
  });

  test.each(lines.map((line) => (typeof line === 'string' ? { words: line } : line)))(
    '$words',
    async ({ words, stdin, env, asks }) => {
      const [helm, tshelm] = await Promise.all(
        sides.map((side) => {
          const root = join(side.folder, '..');
          const line = words.split(' ').map((word) => word.replace('URL', server.url).replace('ROOT', root));
          return side.run(line, { stdin, env, asks });
        }),
      );
      expect(shown(tshelm)).toEqual(shown(helm));
    },
    30_000,
  );

  test('leave the same files', async () => {
    const [helm, tshelm] = await Promise.all(sides.map((side) => side.files()));
    expect(withoutSignatures(tshelm)).toEqual(withoutSignatures(helm));
  });
});

const hubChart = {
  id: 'web/red',
  attributes: { description: 'Reddish', repo: { name: 'web', url: 'https://host' } },
  relationships: { latestChartVersion: { data: { version: '1.0.0', app_version: '2' } } },
};

/** Downloads run side by side: their lines come in any order. Digests of archives made here are each program's own. */
const shown = (outcome: { code: number; stdout: string; stderr: string } | undefined) =>
  outcome && {
    ...outcome,
    stdout: outcome.stdout
      .split('\n')
      .sort()
      .join('\n')
      .replaceAll(/sha256:[0-9a-f]{64}/g, 'DIGEST'),
  };

/** What tshelm keeps of downloads in the content cache, beside Helm, is its own. */
const withoutSignatures = (files: Readonly<Record<string, string>> | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files ?? {})
      .filter(([path]) => !/(?:^|\/)content\//.test(path))
      .map(([path, text]) => [
        path,
        path.endsWith('.prov')
          ? text.replace(/-----BEGIN PGP SIGNATURE[^]*/, '').replaceAll(/sha256:[0-9a-f]+/g, '')
          : text,
      ]),
  );
