import { afterAll, describe, expect, test } from 'vitest';
import { openStackFolder, releaseText } from './stack-folder.ts';

/** helmfile's global flags stand before its command; here they may stand on both sides. */
const folder = openStackFolder();
afterAll(() => folder.remove());
const kustomize = 'helmBinary: helm\nkustomizeBinary';
folder.write(
  'helmfile.yaml.gotmpl',
  `environments: {default: {values: [{who: nobody}]}, prod: {values: [{who: prod}]}}\n---\nreleases:\n${releaseText(
    '{{ .Values.who }}',
  )}${releaseText('other', '    labels: {tier: back}\n')}`,
);
folder.write('values.yaml', 'who: file\n');
const file = `${folder.path}/helmfile.yaml.gotmpl`;

describe.each([
  ['-e', ['-e', 'prod'], 'name: prod'],
  ['--environment=', ['--environment=prod'], 'name: prod'],
  ['-l', ['-l', 'tier=back'], 'name: other'],
  ['-n', ['-n', 'elsewhere'], 'namespace: elsewhere'],
  ['-c', ['-c', './another'], 'chart: ./another'],
  ['--kube-context', ['--kube-context', 'there'], 'kubeContext: there'],
  ['-k', ['-k', './my-kustomize'], `${kustomize}: ./my-kustomize`],
  ['--state-values-file', ['--state-values-file', `${folder.path}/values.yaml`], 'name: file'],
  ['--state-values-set', ['--state-values-set', 'who=set'], 'name: set'],
  ['--state-values-set-string', ['--state-values-set-string', 'who=5'], 'name: "5"'],
])('%s', (_name, words, expected) => {
  test('is read before the command as after it', async () => {
    const after = await folder.tshelm('stack', 'build', '-f', file, ...words);
    expect(after.stdout).toContain(expected);
    expect(await folder.tshelm('stack', '-f', file, ...words, 'build')).toEqual(after);
  });
});

test.each(['--debug', '--no-color', '-q', '--skip-deps', '--sequential-helmfiles', '--oci-plain-http'])(
  '%s takes no word behind it',
  async (flag) => {
    const { stdout, code } = await folder.tshelm('stack', flag, 'list', '-f', file);
    expect([code, stdout]).toEqual([0, expect.stringContaining('nobody')]);
  },
);

test('helmfile has another name for dag', async () => {
  const { stdout } = await folder.tshelm('stack', '-f', file, 'show-dag');
  expect(stdout).toBe('GROUP RELEASE     DEPENDENCIES\n1     shop/nobody\n1     shop/other\n');
});

test.each(['build', 'list', 'dag', 'template', 'lint', 'write-values', 'sync', 'status'])(
  '%s ends with 3 where no release matches, with 0 if that is allowed',
  async (verb) => {
    const words = ['stack', '-f', file, '-l', 'name=none', verb];
    const refused = await folder.tshelm(...words);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('no releases found matching')]);
    expect((await folder.tshelm(...words, '--allow-no-matching-release')).code).toBe(0);
  },
);

test('a flag that only helmfile has is refused with what to do instead', async () => {
  const { code, stderr } = await folder.tshelm('stack', '-f', file, 'sync', '--helm-binary', 'helm');
  expect([code, stderr]).toEqual([
    1,
    'Error: unknown flag: --helm-binary\ntshelm does not run helm; leave the flag out\n',
  ]);
});
