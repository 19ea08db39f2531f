import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseManifest } from '../../src/manifest/parse.ts';
import { configMap, documents, hook, job, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf, type Rule } from './support/namespaces.ts';
import { tshelmProcess } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('rights');
const here = ['-n', admin.namespace, '--timeout', '60s'];

const chart = writeChart(directory, 'app', {
  'templates/all.yaml': documents(
    configMap('one', '{{ .Values.k | default "1" | quote }}'),
    workload('Deployment', 'app'),
    job('migrate', { annotations: hook('pre-install,pre-upgrade') }),
    job('check', { annotations: hook('test') }),
  ),
});

const page = readFileSync('docs/recovery.md', 'utf8');
const [, role = ''] = /^## The smallest Role$[^]*?^```yaml\n([^]*?)^```/m.exec(page) ?? [];
const documented = parseManifest(role, 'docs/recovery.md').object['rules'] as readonly Rule[];
const isOfLeases = ({ resources }: Rule): boolean => resources.includes('leases');
const smallest = documented.filter((rule) => !isOfLeases(rule));
const leases = (...verbs: string[]): readonly Rule[] =>
  documented.filter(isOfLeases).map((rule) => ({ ...rule, verbs }));

/** Every change of a release, and every question about it. */
async function wholeLife(user: string): Promise<string> {
  const lines = [
    ['install', user, chart],
    ['upgrade', user, chart, '--wait', '--set', 'k=2'],
    ['upgrade', user, chart, '--wait=ordered', '--set', 'k=3'],
    ['rollback', user, '1', '--wait'],
    ['test', user],
    ['status', user],
    ['history', user],
    ['get', 'all', user],
    ['list'],
    ['uninstall', user, '--wait'],
  ];
  let told = '';
  for (const words of lines) {
    const options = ['history', 'get', 'list', 'status'].includes(words[0] ?? '') ? ['-n', admin.namespace] : here;
    const { code, stderr } = await tshelmProcess.run([...words, ...options, '--kube-as-user', user]);
    expect(code, `${words.join(' ')}\n${stderr}`).toBe(0);
    told += stderr;
  }
  return told;
}

describe('the smallest Role', () => {
  test.each([
    ['all', documented.filter(isOfLeases), false],
    ['none', [], true],
    ['no-delete', leases('get', 'create', 'update'), false],
    ['no-update', leases('get', 'create', 'delete'), false],
    ['create-get', leases('get', 'create'), true],
    ['create-alone', leases('create'), true],
    ['get-update', leases('get', 'update'), true],
  ])('with the rights to Leases %s does everything', async (name, rights, isWarned) => {
    const user = `r-${name}`;
    await admin.grant(user, [...smallest, ...rights]);
    const told = await wholeLife(user);
    expect(told.includes('the pending record alone locks the release')).toBe(isWarned);
  });
});
