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

async function template(values: string, rerun?: Rerun): Promise<{ code: number; stderr: string }> {
  let stderr = '';
  const output = { write: () => {}, isTerminal: false, columns: undefined, rows: undefined };
  const io = {
    env: {},
    program: 'tshelm',
    cwd: chart,
    stdout: output,
    stderr: { ...output, write: (text: string) => void (stderr += text) },
    readStdin: async () => Buffer.from(values),
    now: () => new Date(0),
  };
  return { code: await main(['template', 'rel', chart, '-f', '-'], io, rerun), stderr };
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

test('where the stack cannot be larger, the failure is told', async () => {
  const { code, stderr } = await template('deep: true');
  expect(code).toBe(1);
  expect(stderr).toContain('exceeded maximum template depth (100000)');
});
