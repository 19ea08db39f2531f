import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { configMap, documents, scratchDirectory, workload, writeChart, writeFiles } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, ok, type Ran, type RunOptions, tshelm, tshelmProcess } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('wrong-input');
const { namespace } = admin;

const good = writeChart(directory, 'good', {
  'templates/settings.yaml': configMap('settings', '{{ .Values.value | default "a" }}'),
});
const chartWith = (name: string, files: Readonly<Record<string, string>>): string => writeChart(directory, name, files);
const file = (name: string, text: string): string => join(writeFiles(directory, { [name]: text }), name);

interface WrongInput {
  readonly title: string;
  readonly words: readonly string[];
  /** What the error also shows, below Helm's line. */
  readonly excerpt?: string;
  readonly options?: RunOptions;
  readonly exitCode?: number;
  /** Only how the message begins is Helm's. */
  readonly start?: string;
  /** The cause, where it stands before Helm's words. */
  readonly cause?: string;
}

const cases: readonly WrongInput[] = [
  { title: 'no such chart', words: ['install', 'wrong', join(directory, 'absent')] },
  { title: 'a chart that is neither file nor folder', words: ['install', 'wrong', 'absent'] },
  {
    title: 'a chart without Chart.yaml',
    words: ['install', 'wrong', writeFiles(join(directory, 'bare'), { 'templates/a.yaml': configMap('a', 'b') })],
  },
  {
    title: 'a Chart.yaml without a version',
    words: ['install', 'wrong', chartWith('no-version', { 'Chart.yaml': 'apiVersion: v2\nname: no-version\n' })],
  },
  {
    title: 'a missing dependency',
    words: [
      'install',
      'wrong',
      chartWith('lonely', {
        'Chart.yaml':
          'apiVersion: v2\nname: lonely\nversion: 1.0.0\ndependencies:\n  - {name: sub, version: 1.0.0, repository: "https://example.com"}\n',
      }),
    ],
  },
  {
    title: "broken YAML in the chart's values",
    words: ['install', 'wrong', chartWith('bad-values', { 'values.yaml': 'a: 1\nb: [1, 2\nc: 3\n' })],
    cause: 'a [ or { is never closed, or a string inside it needs quotes [yaml-bracket-open]',
  },
  {
    title: "broken YAML in the user's values",
    words: ['install', 'wrong', good, '-f', file('broken.yaml', 'first: 1\nsecond: 2\nthird: {a: 1\nfourth: 4\n')],
    cause: 'a [ or { is never closed, or a string inside it needs quotes [yaml-bracket-open]',
    excerpt: 'third: {a: 1',
  },
  { title: 'a values file that is not there', words: ['install', 'wrong', good, '-f', join(directory, 'none.yaml')] },
  {
    title: 'broken YAML in a template',
    words: [
      'install',
      'wrong',
      chartWith('bad-yaml', {
        'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n bad: indent\n',
      }),
    ],
    cause: 'this line or one near it is indented too little or too far [yaml-indent]',
    excerpt: '> 5 |  bad: indent',
  },
  {
    title: 'a template that does not parse',
    words: ['install', 'wrong', chartWith('bad-parse', { 'templates/a.yaml': 'kind: ConfigMap\nname: {{ if }}\n' })],
  },
  {
    title: 'an unknown function',
    words: ['install', 'wrong', chartWith('bad-function', { 'templates/a.yaml': 'a: {{ nosuch 1 }}\n' })],
    cause: 'there is no function nosuch [function-unknown]',
  },
  {
    title: 'a template that fails',
    words: ['install', 'wrong', chartWith('bad-run', { 'templates/a.yaml': 'a: 1\nb: {{ .Values.a.b.c }}\n' })],
    cause: 'the value a is not set, so a.b cannot be read [value-missing]',
    excerpt: '> 2 | b: {{ .Values.a.b.c }}\n    |               ^',
  },
  {
    title: 'a required value',
    words: [
      'install',
      'wrong',
      chartWith('demanding', { 'templates/a.yaml': 'a: {{ required "say who" .Values.who }}\n' }),
    ],
  },
  {
    title: 'fail',
    words: ['install', 'wrong', chartWith('refusing', { 'templates/a.yaml': '{{ fail "not today" }}\n' })],
  },
  {
    title: 'values against the schema',
    words: [
      'install',
      'wrong',
      chartWith('strict', {
        'values.schema.json': '{"type":"object","required":["size"]}',
        'templates/a.yaml': configMap('a', 'b'),
      }),
    ],
    cause: 'the value size is not set [value-missing]',
  },
  {
    title: 'a kind that is not served',
    words: [
      'install',
      'wrong',
      chartWith('unknown-kind', {
        'templates/a.yaml': 'apiVersion: example.com/v1\nkind: Nothing\nmetadata:\n  name: a\n',
      }),
    ],
    cause: 'Nothing/a: no matches for kind "Nothing" in version "example.com/v1" [kind-unknown]',
  },
  {
    title: 'an object without a kind',
    words: ['install', 'wrong', chartWith('no-kind', { 'templates/a.yaml': 'apiVersion: v1\nmetadata:\n  name: a\n' })],
    cause: 'a: it has no kind [object-malformed]',
  },
  { title: 'a bad --set', words: ['install', 'wrong', good, '--set', 'a=1,b[x]=2'] },
  { title: 'a bad --set-json', words: ['install', 'wrong', good, '--set-json', 'a={"b":'] },
  { title: 'a --set-file that is not there', words: ['install', 'wrong', good, '--set-file', `a=${directory}/none`] },
  { title: 'an unknown flag', words: ['install', 'wrong', good, '--nonsense'] },
  { title: 'a bad duration', words: ['install', 'wrong', good, '--timeout', 'soon'] },
  { title: 'a bad output format', words: ['install', 'wrong', good, '-o', 'xml'] },
  {
    // tshelm knows one more.
    title: 'a bad wait strategy',
    words: ['install', 'wrong', good, '--wait=perhaps'],
    start:
      'Error: invalid argument "perhaps" for "--wait" flag: invalid wait input "perhaps". Valid inputs are watcher, hookOnly, ',
  },
  { title: 'no arguments', words: ['install'] },
  { title: 'a name that no object can have', words: ['install', 'Wrong_Name', good] },
  { title: 'a name over 53 characters', words: ['install', 'w'.repeat(54), good] },
  { title: 'a name and --generate-name', words: ['install', 'wrong', good, '--generate-name'] },
  { title: 'no name', words: ['install', good] },
  { title: 'labels that are Helm’s own', words: ['install', 'wrong', good, '--labels', 'owner=me'] },
  { title: 'an upgrade of nothing', words: ['upgrade', 'wrong', good] },
  { title: 'a rollback of nothing', words: ['rollback', 'wrong'] },
  { title: 'a rollback to no number', words: ['rollback', 'wrong', 'one'] },
  { title: 'an uninstall of nothing', words: ['uninstall', 'wrong'] },
  { title: 'the status of nothing', words: ['status', 'wrong'] },
  { title: 'the history of nothing', words: ['history', 'wrong'] },
  { title: 'values of nothing', words: ['get', 'values', 'wrong'] },
  { title: 'a test of nothing', words: ['test', 'wrong'] },
  { title: 'a namespace that is not there', words: ['install', 'wrong', good, '-n', 'not-there-at-all'] },
  { title: 'an unknown context', words: ['list', '--kube-context', 'nowhere'] },
  { title: 'a wrong token', words: ['list', '--kube-token', 'wrong'] },
  {
    title: 'no cluster',
    words: ['list', '--kube-apiserver', 'http://127.0.0.1:9'],
    // Helm asks for /version first, tshelm for what it needs.
    start: 'Error: kubernetes cluster unreachable: Get "http://127.0.0.1:9/',
  },
  {
    title: 'an install with no cluster',
    words: ['install', 'wrong', good, '--kube-apiserver', 'http://127.0.0.1:9'],
    start: 'Error: INSTALLATION FAILED: cluster reachability check failed: kubernetes cluster unreachable: ',
  },
  { title: 'a kubeconfig that is not there', words: ['list', '--kubeconfig', join(directory, 'none')] },
];

/** Helm's lines, without its log of what it would have liked better. */
const errorLines = ({ stderr }: Ran): string => stderr.replace(/^(level=|time=|WARNING:).*\n/gm, '').trimEnd();

/** Without what comes before: that no Lease may be used, for one. */
const fromError = (ran: Ran): string => errorLines(ran).replace(/^[^]*?(?=^Error: )/m, '');

describe('wrong input fails as with Helm, on one screen, and leaves nothing behind', () => {
  test.each(cases)('$title', async ({ words, excerpt, options, start, cause }) => {
    const all = words.includes('-n') ? words : [...words, '-n', namespace];
    const ours = await tshelm.run(all, options);
    const theirs = await helm.run(all, options);
    expect(ours.code).toBe(theirs.code);
    expect(ours.code).toBe(1);
    expect(ours.stdout).toBe('');
    const said = errorLines(ours);
    const expected = start ?? errorLines(theirs).replaceAll('helm install', 'tshelm install');
    if (cause === undefined) {
      expect(said.slice(0, expected.length)).toBe(expected);
    } else {
      expect(said.startsWith(`Error: INSTALLATION FAILED: ${cause}\n`)).toBe(true);
      for (const line of expected.replace('Error: INSTALLATION FAILED: ', '').split('\n')) expect(said).toContain(line);
    }
    expect(said.split('\n').length).toBeLessThan(25);
    if (excerpt !== undefined) expect(said).toContain(excerpt);
    expect(await admin.names('v1', 'Secret', 'owner=helm')).toEqual([]);
    expect(await admin.names('v1', 'ConfigMap', 'app.kubernetes.io/managed-by=Helm')).toEqual([]);
  });

  test('a field that the kind does not have: the release is recorded as failed', async () => {
    const chart = chartWith('unknown-field', { 'templates/a.yaml': `${workload('Deployment', 'web')}  nonsense: 1\n` });
    const words = ['install', 'unknown-field', chart, '-n', namespace];
    const ours = await tshelm.run(words);
    await ok(helm, ['uninstall', 'unknown-field', '-n', namespace]);
    const theirs = await helm.run(words);
    const failed = 'Error: INSTALLATION FAILED: ';
    expect(fromError(ours).split('\n')).toEqual([
      `${failed}Deployment/unknown-field-web: unknown field spec.nonsense [field-unknown]`,
      expect.stringMatching(/^ {2}where {2}.*\/templates\/a\.yaml:\d+: nonsense: 1$/),
      '  fix    correct the name or the indentation of spec.nonsense',
      '',
      errorLines(theirs).replace(failed, "Helm's error: "),
      '',
      'Revision 1 of unknown-field is marked failed; the objects already applied are still there.',
      `  next   fix the cause and run tshelm upgrade --install unknown-field ${chart} -n ${namespace}`,
      `  or     undo the change with tshelm uninstall unknown-field -n ${namespace}`,
    ]);
    await ok(tshelm, ['uninstall', 'unknown-field', '-n', namespace]);
    expect(await admin.records('unknown-field')).toEqual([]);
  });

  test('as a whole process', async () => {
    const { code, stdout, stderr } = await tshelmProcess.run(['install', 'wrong', good, '--nonsense']);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: 'Error: unknown flag: --nonsense\n' });
  });
});

describe('a name in use', () => {
  beforeAll(() => ok(helm, ['install', 'used', good, '-n', namespace]));

  test.each([
    ['by a deployed release', ['install', 'used', good]],
    ['whatever --replace says', ['install', 'used', good, '--replace']],
  ])('%s', async (_title, words) => {
    const [ours, theirs] = await Promise.all([tshelm, helm].map((program) => program.run([...words, '-n', namespace])));
    const way = 'release used already exists (deployed): change it with tshelm upgrade used';
    expect(ours?.stderr).toBe(`${theirs?.stderr}  fix    ${way} ${good} -n ${namespace}\n`);
    expect(ours?.code).toBe(1);
    expect(await admin.records('used')).toEqual(['sh.helm.release.v1.used.v1']);
  });
});

describe('without rights', () => {
  const rule = (resources: string[], verbs: string[], apiGroups = ['']) => ({ apiGroups, resources, verbs });
  const users: Readonly<Record<string, readonly unknown[]>> = {
    nobody: [],
    'no-config-maps': [rule(['secrets'], ['*'])],
    'no-secrets': [rule(['configmaps'], ['*']), rule(['deployments'], ['*'], ['apps'])],
    'half-way': [rule(['secrets', 'configmaps'], ['*']), rule(['deployments'], ['get'], ['apps'])],
  };
  const both = documents(configMap('settings', 'a'), workload('Deployment', 'web'));
  const chart = writeChart(directory, 'two-kinds', { 'templates/all.yaml': both });

  beforeAll(async () => {
    const rbac = 'rbac.authorization.k8s.io';
    for (const [name, rules] of Object.entries(users)) {
      const role = { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name }, rules };
      await admin.cluster().apply(role as KubernetesObject);
      await admin.cluster().apply({
        apiVersion: `${rbac}/v1`,
        kind: 'RoleBinding',
        metadata: { name },
        roleRef: { apiGroup: rbac, kind: 'Role', name },
        subjects: [{ kind: 'User', name }],
      });
    }
  });

  test.each([
    ['list', 'nobody', ['list']],
    ['install', 'nobody', ['install', 'mine', chart]],
    ['install without the objects', 'no-config-maps', ['install', 'mine', chart]],
    ['install without the records', 'no-secrets', ['install', 'mine', chart]],
    ['status', 'nobody', ['status', 'mine']],
    ['uninstall', 'nobody', ['uninstall', 'mine']],
  ])('%s as %s', async (_title, user, words) => {
    const all = [...words, '-n', namespace, '--kube-as-user', user];
    const ours = await tshelm.run(all);
    const theirs = await helm.run(all);
    expect(ours.code).toBe(1);
    expect(fromError(ours)).toContain('is forbidden: User');
    expect(fromError(ours)).toBe(fromError(theirs));
    expect(await admin.names('v1', 'ConfigMap', 'app.kubernetes.io/managed-by=Helm')).toEqual(['used-settings']);
  });

  test('half of the objects: the release is recorded as failed, and says which is missing', async () => {
    const words = ['-n', namespace, '--kube-as-user', 'half-way'];
    const ours = await tshelm.run(['install', 'half', chart, ...words]);
    expect(ours.code).toBe(1);
    expect(ours.stderr).toContain('User "half-way" cannot patch resource "deployments" in API group "apps"');
    const listed = JSON.parse(
      await ok(helm, ['list', '-o', 'json', '--filter', '^half$', '-n', namespace]),
    ) as unknown[];
    expect(listed).toMatchObject([{ name: 'half', status: 'failed' }]);
    await ok(tshelm, ['uninstall', 'half', '-n', namespace]);
    expect(await admin.records('half')).toEqual([]);
  });
});
