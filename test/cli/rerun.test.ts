import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main, type Rerun } from '../../src/cli/main.ts';

let chart = '';
beforeAll(async () => {
  chart = await mkdtemp(join(tmpdir(), 'tshelm-deep-'));
  await mkdir(join(chart, 'templates'));
  await writeFile(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: deep\nversion: 1.0.0\n');
  await writeFile(
    join(chart, 'templates/a.yaml'),
    '{{ define "t" }}{{ if .deep }}{{ template "t" . }}{{ end }}{{ end }}{{ template "t" .Values }}',
  );
});
afterAll(() => rm(chart, { recursive: true }));

const template = (values: string, rerun?: Rerun) => run(['template', 'rel', chart, '-f', '-'], values, rerun);

async function run(words: string[], stdin: string, rerun?: Rerun): Promise<{ code: number; stderr: string }> {
  let stderr = '';
  const output = { write: () => {}, isTerminal: false, columns: undefined, rows: undefined };
  const io = {
    env: { HOME: '/nonexistent' },
    program: 'tshelm',
    cwd: chart,
    stdout: output,
    stderr: { ...output, write: (text: string) => void (stderr += text) },
    readStdin: async () => Buffer.from(stdin),
    async *stdin() {},
    now: () => new Date(0),
  };
  return { code: await main(words, io, { rerun }), stderr };
}

test('templates that fill the stack are rendered again with a larger one, from the same standard input', async () => {
  const inputs: string[] = [];
  const rerun: Rerun = async (stdin) => {
    inputs.push(Buffer.from(stdin ?? []).toString());
    return 7;
  };
  expect(await template('deep: true', rerun)).toEqual({ code: 7, stderr: '' });
  expect(inputs).toEqual(['deep: true']);
  expect(await template('deep: false', rerun)).toEqual({ code: 0, stderr: '' });
  expect(inputs).toHaveLength(1);
});

test("where there is no other try, the failure is in Helm's words", async () => {
  const place = 'Error: deep/templates/a.yaml:1:42\n  executing "t" at <{{template "t" .}}>:\n    ';
  const { code, stderr } = await template('deep: true');
  expect([code, stderr.startsWith(`${place}exceeded maximum template depth (100000)\n`)]).toEqual([1, true]);
});

const again: Rerun = async () => 7;

test('a chart that is to be installed is rendered again: only the lock was taken', async () => {
  const sandbox = ['--sandbox-dir', await mkdtemp(join(chart, 'sandbox-'))];
  const { code } = await run(['upgrade', '--install', 'rel', chart, '--set', 'deep=true', ...sandbox], '', again);
  expect(code).toBe(7);
});

test('a chart that fills the stack is looked at again', async () => {
  expect(await run(['lint', chart, '--set', 'deep=true'], '', again)).toEqual({ code: 7, stderr: '' });
});

test('a log with the words of the failure does not run the command again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tshelm-hostile-'));
  await mkdir(join(folder, 'templates'));
  await writeFile(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: hostile\nversion: 1.0.0\n');
  const pod = (hook: string) =>
    `apiVersion: v1\nkind: Pod\nmetadata: {name: p, annotations: {${hook}sandbox.tshelm.dev/fate: fail, sandbox.tshelm.dev/log: exceeded maximum template depth (100000)}}\nspec: {restartPolicy: Never, containers: [{name: c, image: i}]}\n`;
  for (const hook of ['', 'helm.sh/hook: pre-install, ']) {
    await writeFile(join(folder, 'templates/pod.yaml'), pod(hook));
    const sandbox = ['--sandbox-dir', await mkdtemp(join(folder, 'sandbox-'))];
    const { code, stderr } = await run(['upgrade', '--install', 'rel', folder, '--wait', ...sandbox], '', again);
    expect(code).toBe(1);
    expect(stderr).toContain('exceeded maximum template depth');
  }
  await rm(folder, { recursive: true });
});

test('a stack of which a release was deployed is not run again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tshelm-stack-'));
  const release = (name: string, more: string) => `  - {name: ${name}, chart: ${chart}${more}}\n`;
  const releases = release('flat', '') + release('deep', ', values: [{deep: true}], needs: [flat]');
  await writeFile(join(folder, 'helmfile.yaml'), `releases:\n${releases}`);
  const stack = async (verb: string) => {
    const words = ['stack', verb, '-f', join(folder, 'helmfile.yaml'), '--sandbox-dir', join(folder, 'sandbox')];
    return (await run(words, '', again)).code;
  };
  expect(await stack('template')).toBe(7);
  expect(await stack('sync')).toBe(1);
  await rm(folder, { recursive: true });
});

test('where the stack cannot be larger, the failure is told', async () => {
  const { code, stderr } = await template('deep: true');
  expect(code).toBe(1);
  expect(stderr).toContain('exceeded maximum template depth (100000)');
});
