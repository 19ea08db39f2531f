import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tshelm } from './harness.ts';

/** The table of docs/from-helm-3.md, tried line by line. */
const page = readFileSync('docs/from-helm-3.md', 'utf8');
const rows = (page.split('| Helm 3 | here | Helm 4 |')[1]?.split('\n\n')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => (line.split(' | ')[0] as string).slice(2));

const folder = mkdtempSync(join(tmpdir(), 'tshelm-from-3-'));
const chart = join(folder, 'web');
const file = (path: string): string => join(folder, path);

beforeAll(() => {
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 0.1.0\n');
  writeFileSync(
    join(chart, 'templates/a.yaml'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  v: one\n',
  );
  writeFileSync(file('render'), '#!/bin/sh\nsed s/one/rendered/\n');
  chmodSync(file('render'), 0o755);
  mkdirSync(file('hi'));
  mkdirSync(file('hi-too'));
  writeFileSync(file('hi-too/plugin.yaml'), 'name: hi\nversion: 0.2.0\ncommand: "echo hi"\n');
  mkdirSync(file('both'));
  writeFileSync(
    file('both/plugin.yaml'),
    'name: both\nversion: 0.1.0\ncommand: "echo both"\ndownloaders: [{command: get, protocols: [both]}]\n',
  );
  writeFileSync(file('both/get'), '#!/bin/sh\necho archive\n', { mode: 0o755 });
  writeFileSync(file('hi/plugin.yaml'), 'name: hi\nversion: 0.1.0\ncommand: "echo hi"\n');
  writeFileSync(file('repositories.yaml'), 'repositories: []\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Try {
  readonly words: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly code?: number;
  /** What standard output or standard error contain; nothing is said where it is ''. */
  readonly says: string;
}

const deprecated = (flag: string, instead: string): string => `Flag ${flag} has been deprecated, ${instead}\n`;
const restart = 'Helm 4 has no such flag: run `kubectl rollout restart` afterwards';
const sandbox = '--sandbox-dir SANDBOX';

/** Command lines of each row; CHART, SANDBOX and FOLDER stand for paths. The release `web` is there. */
const tried: Readonly<Record<string, readonly Try[]>> = {
  '`version --client --short`, `version -c`': [
    { words: 'version --client --short', says: 'v4.3.1' },
    { words: 'version -c', says: 'version.BuildInfo{Version:"v4.3.1"' },
  ],
  '`--atomic`': [
    {
      words: `upgrade web CHART --atomic ${sandbox}`,
      says: deprecated('--atomic', 'use --rollback-on-failure instead'),
    },
  ],
  '`--force`': [
    { words: `upgrade web CHART --force ${sandbox}`, code: 1, says: 'add --server-side=false' },
    {
      words: `upgrade web CHART --force --server-side=false ${sandbox}`,
      says: deprecated('--force', 'use --force-replace instead'),
    },
  ],
  '`--wait`, `--wait=true`, `--wait=false`': [
    { words: `upgrade web CHART --wait ${sandbox}`, says: 'STATUS: deployed' },
    { words: `upgrade web CHART --wait=true ${sandbox}`, says: '--wait=true is deprecated' },
    { words: `upgrade web CHART --wait=false ${sandbox}`, says: '--wait=false is deprecated' },
  ],
  '`--dry-run` alone, `--dry-run=true`': [
    { words: `upgrade web CHART --dry-run ${sandbox}`, says: "should be replaced with '--dry-run=client'" },
    { words: `upgrade web CHART --dry-run=true ${sandbox}`, says: "must be replaced with '--dry-run=client'" },
  ],
  '`--post-renderer ./program`': [{ words: 'template web CHART --post-renderer FOLDER/render', says: 'v: rendered' }],
  '`template --validate`': [
    {
      words: `template web CHART --validate ${sandbox}`,
      says: deprecated('--validate', "use '--dry-run=server' instead"),
    },
  ],
  'plugins with a plugin.yaml of Helm 3': [
    { words: 'plugin install FOLDER/hi', says: 'Installed plugin: hi' },
    { words: 'hi', says: '' },
  ],
  'a plugin with a command and downloaders, such as helm-secrets and helm-s3': [
    { words: 'plugin install FOLDER/both', says: 'Installed plugin: both' },
    { words: 'both', says: '' },
    { words: 'pull both://HOST/web-0.1.0.tgz -d FOLDER', says: '' },
  ],
  '`secrets upgrade`, `install`, `template`, `lint`, `diff` by helm-secrets, and its `encrypt`, `decrypt`, `edit`': [
    {
      words: 'secrets template web CHART -f test/sops/fixtures/some.encrypted.yaml',
      env: { SOPS_AGE_KEY_FILE: 'test/sops/fixtures/keys.txt' },
      says: 'kind: ',
    },
    {
      words: 'template web CHART -f test/sops/fixtures/some.encrypted.yaml',
      code: 1,
      says: 'there is no age identity',
    },
    { words: 'secrets decrypt test/sops/fixtures/some.plain.yaml', code: 1, says: 'is not encrypted by sops' },
  ],
  'a second plugin of the same name': [
    { words: 'plugin install FOLDER/hi', says: '' },
    { words: 'plugin install FOLDER/hi-too', code: 1, says: 'two plugins claim the name "hi"' },
  ],
  '`plugin install` of a source without a signature': [
    { words: 'plugin install https://localhost:1/x', code: 1, says: 'Use --verify=false to skip verification' },
  ],
  '`list --all`, `list -a`': [
    { words: `list --all ${sandbox}`, says: deprecated('--all', 'list always shows releases of every status') },
    { words: `list -aq ${sandbox}`, says: 'web\n' },
  ],
  '`status --show-resources`, `status --show-desc`': [
    { words: `status web --show-resources ${sandbox}`, says: 'RESOURCES:' },
    { words: `status web --show-desc ${sandbox}`, says: 'DESCRIPTION:' },
  ],
  '`repo add --no-update`, `repo update --fail-on-repo-update-fail`, `test --hide-notes`': [
    { words: 'repo add web http://localhost:1 --no-update', code: 1, says: 'Flag --no-update has been deprecated, ' },
    {
      words: 'repo update --fail-on-repo-update-fail --repository-config FOLDER/repositories.yaml',
      code: 1,
      says: 'Flag --fail-on-repo-update-fail has been deprecated, ',
    },
    { words: `test web --hide-notes ${sandbox}`, says: 'Flag --hide-notes has been deprecated, ' },
  ],
  '`template --hide-notes`, `template --render-subchart-notes`': [
    { words: 'template web CHART --hide-notes', says: 'Flag --hide-notes has been deprecated, ' },
    { words: 'template web CHART --render-subchart-notes', says: 'Flag --render-subchart-notes has been deprecated, ' },
  ],
  '`upgrade --recreate-pods`, `rollback --recreate-pods`': [
    { words: `upgrade web CHART --recreate-pods ${sandbox}`, code: 1, says: restart },
    { words: `rollback web --recreate-pods ${sandbox}`, code: 1, says: restart },
    { words: `upgrade web CHART --recreate-pods=false ${sandbox}`, says: 'STATUS: deployed' },
  ],
  '`registry login HOST/PATH`': [
    { words: 'registry login localhost:1/path -u a -p b', code: 1, says: 'suggested=localhost:1' },
  ],
  'the plugin helm-diff': [
    { words: 'plugin install https://github.com/databus23/helm-diff', says: 'Installed plugin: diff' },
    { words: `diff upgrade web CHART --detailed-exitcode ${sandbox}`, says: '' },
  ],
  'client-side apply': [
    { words: `upgrade web CHART --server-side=false ${sandbox}`, says: 'STATUS: deployed' },
    { words: `get metadata web -o json ${sandbox}`, says: '"applyMethod":"csa"' },
    { words: `upgrade web CHART ${sandbox}`, says: 'STATUS: deployed' },
    { words: `get metadata web -o json ${sandbox}`, says: '"applyMethod":"csa"' },
  ],
  '`HELM_DRIVER=secret`, `configmap`': [
    { words: `list -q ${sandbox}`, env: { HELM_DRIVER: 'secret' }, says: 'web\n' },
    {
      words: `install other CHART -n other --create-namespace ${sandbox}`,
      env: { HELM_DRIVER: 'configmap' },
      says: '',
    },
    { words: `list -q -n other ${sandbox}`, env: { HELM_DRIVER: 'configmap' }, says: 'other\n' },
  ],
  '`HELM_DRIVER=memory`': [
    { words: 'list', env: { HELM_DRIVER: 'memory' }, code: 1, says: 'could never be upgraded or uninstalled' },
    { words: `list -q ${sandbox}`, env: { HELM_DRIVER: 'memory' }, says: '' },
  ],
  '`HELM_DRIVER=sql`': [{ words: 'list', env: { HELM_DRIVER: 'sql' }, code: 1, says: 'not in a database' }],
  '`completion SHELL`, and scripts that Helm wrote': [
    { words: 'completion bash', says: '__complete' },
    { words: '__complete version --sh', says: '--short' },
  ],
};

test('each row is tried', () => {
  expect(rows.length).toBeGreaterThan(15);
  expect(Object.keys(tried).sort()).toEqual([...rows].sort());
});

describe.each(Object.entries(tried))('%s', (_row, tries) => {
  const directory = mkdtempSync(join(tmpdir(), 'tshelm-from-3-sandbox-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const run = (words: string, env: Readonly<Record<string, string>> = {}) =>
    tshelm(words.replace('CHART', chart).replace('SANDBOX', directory).replace('FOLDER', folder).split(' '), {
      env: { HOME: directory, PATH: process.env['PATH'] ?? '', KUBECONFIG: '/dev/null', ...env },
    });
  beforeAll(async () => {
    if (tries.some(({ words }) => words.includes('SANDBOX'))) await run(`install web CHART ${sandbox}`);
  });
  test.each(tries)('$words', async ({ words, env, code = 0, says }) => {
    const ran = await run(words, env);
    expect([ran.code, (ran.stdout + ran.stderr).includes(says)], ran.stdout + ran.stderr).toEqual([code, true]);
  });
});
