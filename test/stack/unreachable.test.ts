import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tshelm } from '../cli/harness.ts';
import { openStackFolder, releaseText, type StackFolder } from './stack-folder.ts';

let folder: StackFolder;
beforeEach(() => {
  folder = openStackFolder();
});
afterEach(() => folder.remove());

/** Nothing listens there. */
const kubeconfig = `apiVersion: v1
kind: Config
current-context: gone
clusters: [{name: gone, cluster: {server: 'http://127.0.0.1:1'}}]
users: [{name: nobody, user: {}}]
contexts:
  - {name: gone, context: {cluster: gone, user: nobody}}
  - {name: away, context: {cluster: gone, user: nobody}}
`;
const names = Array.from({ length: 20 }, (_, index) => `r${index}`);

async function stack(verb: string, ...words: string[]) {
  folder.write('kubeconfig', kubeconfig);
  const file = `${folder.path}/helmfile.yaml`;
  return tshelm(['stack', verb, '-f', file, ...words], { env: { KUBECONFIG: `${folder.path}/kubeconfig` } });
}

describe('a cluster that does not answer', () => {
  test.each(['sync', 'apply', 'destroy', 'diff', 'drift', 'drift --fix --yes', 'plan'])(
    '%s tells of it once',
    async (words) => {
      const [verb = '', ...flags] = words.split(' ');
      folder.write('helmfile.yaml', `releases:\n${names.map((name) => releaseText(name)).join('')}`);
      const { code, stdout, stderr } = await stack(verb, ...flags);
      expect(code).toBe(1);
      expect(stdout).not.toContain('nothing to bring back');
      expect(stderr.match(/unreachable/g)).toHaveLength(1);
      expect(stderr).toContain(
        'Error: 0 of 20 releases failed, 20 left out:\n  the cluster: kubernetes cluster unreachable: ',
      );
      expect(stderr).toMatch(/\n {4}left out: (?:shop\/r\d+, ){19}shop\/r\d+\n$/);
    },
  );

  test('is named, each with its own releases', async () => {
    const twice = releaseText('one', '    kubeContext: gone\n') + releaseText('two', '    kubeContext: away\n');
    folder.write('helmfile.yaml', `releases:\n${twice}${releaseText('three', '    kubeContext: away\n')}`);
    const { stderr } = await stack('sync');
    expect(stderr).toMatch(/\n {2}cluster gone: [^\n]*\n {4}left out: gone\/shop\/one\n/);
    expect(stderr).toMatch(/\n {2}cluster away: [^\n]*\n {4}left out: away\/shop\/two, away\/shop\/three\n/);
  });

  test('status shows the releases of the other clusters', async () => {
    folder.write('helmfile.yaml', `releases:\n${releaseText('one')}${releaseText('far', '    kubeContext: away\n')}`);
    const { code, stdout, stderr } = await stack('status');
    expect(code).toBe(1);
    expect(stdout.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^shop\/one +yes +unknown$/),
      expect.stringMatching(/^away\/shop\/far +yes +unknown$/),
      '',
    ]);
    expect(stderr).toContain('0 of 2 releases failed, 2 left out');
  });

  test.each([
    [[], '0 of 3 releases failed, 2 left out', 'here\n'],
    [['--fail-fast', '--concurrency', '1'], '0 of 3 releases failed, 3 left out', ''],
  ])('releases of other clusters go on, but not with --fail-fast: %j', async (words, told, installed) => {
    const { openSandbox } = await import('../../src/sandbox/index.ts');
    const sandbox = await openSandbox();
    const other = `${kubeconfig}  - {name: here, context: {cluster: here, user: nobody}}\n`;
    const clusters = `clusters: [{name: here, cluster: {server: '${sandbox.url.replace('//', `//sandbox:${sandbox.token}@`)}'}}, `;
    folder.write('kubeconfig', other.replace('clusters: [', clusters));
    const env = { KUBECONFIG: `${folder.path}/kubeconfig` };
    const file = `${folder.path}/helmfile.yaml`;
    folder.write(
      'helmfile.yaml',
      `releases:\n${releaseText('one')}${releaseText('two', '    needs: [one]\n')}${releaseText('here', '    kubeContext: here\n')}`,
    );
    try {
      expect((await tshelm(['stack', 'sync', '-f', file, ...words], { env })).stderr).toContain(told);
      const list = await tshelm(['list', '-n', 'shop', '-q', '--kube-context', 'here'], { env });
      expect(list.stdout).toBe(installed);
    } finally {
      await sandbox.close();
    }
  });
});
