import { describe, expect, test } from 'vitest';
import { configMap, documents, hook, job, scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, type Program, tshelm } from './support/programs.ts';

// What is refused once a revision is recorded, or by what an earlier run has left, beside Helm: exit codes and revisions.
const directory = scratchDirectory();
const admin = adminOf('refused');
const inNamespace = ['-n', admin.namespace, '--timeout', '30s'];

interface Revision {
  readonly revision: number;
  readonly status: string;
  readonly description: string;
}

/** The exit codes of these commands, and the revisions after them. */
async function outcomeOf(program: Program, release: string, commands: readonly (readonly string[])[]) {
  const codes: number[] = [];
  for (const command of commands) codes.push((await program.run([...command, ...inNamespace])).code);
  const { stdout } = await program.run(['history', release, '-n', admin.namespace, '-o', 'json']);
  const revisions = (JSON.parse(stdout) as Revision[]).map(({ revision, status }) => `${revision} ${status}`);
  return { codes, revisions, last: (JSON.parse(stdout) as Revision[]).at(-1)?.description.replaceAll(release, 'NAME') };
}

const plain = writeChart(directory, 'plain', { 'templates/a.yaml': configMap('one', '{{ .Values.data | quote }}') });

test.each([
  ['--force-replace', 'cannot use server-side apply and force replace together', []],
  ['--force-conflicts', 'forceConflicts enabled when serverSideApply disabled', ['--server-side=false']],
])('%s that excludes itself leaves failed revisions', async (flag, message, mode) => {
  const commandsOf = (name: string) => [
    ['install', name, plain, ...mode],
    ['upgrade', name, plain, '--set', 'data=x', flag],
    ['upgrade', name, plain, flag, '--dry-run=server'],
    ['rollback', name, '1', flag],
    ['rollback', name, '1', flag, '--dry-run=server'],
    ['upgrade', name, plain, '--set', 'data=y'],
    ['rollback', name, '1', flag],
  ];
  const run = (program: Program) => {
    const name = `${program.name}${flag.slice(1)}`;
    return outcomeOf(program, name, commandsOf(name));
  };
  const expected = await run(helm);
  expect(expected.last).toContain(message);
  expect(await run(tshelm)).toEqual(expected);
});

describe('a hook whose object an earlier run has left, with the policy hook-failed alone', () => {
  const annotations = hook('pre-install,pre-upgrade,pre-rollback,pre-delete,test', { policy: 'hook-failed' });
  const work = job('work', { annotations }).replace('job:1', 'job:{{ .Values.tag }}');
  const chart = writeChart(directory, 'left', {
    'values.yaml': 'tag: one\n',
    'templates/all.yaml': documents(configMap('one', 'x'), work),
  });

  test.each([
    ['with server-side apply', []],
    ['without', ['--server-side=false']],
  ])('%s', async (_what, mode) => {
    const commandsOf = (name: string) => [
      ['install', name, chart, ...mode],
      ['upgrade', name, chart],
      ['upgrade', name, chart, '--set', 'tag=two'],
      ['upgrade', name, chart, '--set', 'tag=two'],
      ['test', name],
      ['upgrade', name, chart],
      ['rollback', name, '1'],
    ];
    const run = async (program: Program) => {
      const name = `left-${program.name}-${mode.length}`;
      const { codes } = await outcomeOf(program, name, commandsOf(name));
      return [...codes, (await program.run(['uninstall', name, ...inNamespace])).code];
    };
    expect(await run(tshelm)).toEqual(await run(helm));
  });
});
