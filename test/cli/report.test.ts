import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { withReport } from '../../src/cli/errors/failure-report.ts';
import type { Io } from '../../src/cli/terminal/io.ts';
import type { WorkloadProblem } from '../../src/cluster/diagnosis.ts';
import { TshelmError } from '../../src/support/errors.ts';
import { SecretWords } from '../../src/support/secret-words.ts';

const directory = mkdtempSync(join(tmpdir(), 'tshelm-report-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const said: string[] = [];
const output = {
  write: (text: string) => void said.push(text),
  isTerminal: false,
  columns: undefined,
  rows: undefined,
};
const io: Io = {
  env: {},
  program: 'tshelm',
  cwd: directory,
  stdout: output,
  stderr: output,
  readStdin: async () => Buffer.alloc(0),
  async *stdin() {},
  now: () => new Date('2026-01-02T03:04:05Z'),
};
const secrets = new SecretWords();
const context = { io, secrets };
const subject = { command: 'upgrade', release: 'shop', namespace: 'default' } as const;
const read = (name: string): unknown => JSON.parse(readFileSync(join(directory, name), 'utf8'));
const common = {
  schema: 'tshelm.dev/report/v1',
  ...subject,
  startedAt: '2026-01-02T03:04:05.000Z',
  endedAt: '2026-01-02T03:04:05.000Z',
};

test('of a success, over an older one that others could read', async () => {
  const path = join(directory, 'good.json');
  writeFileSync(path, 'old', { mode: 0o644 });
  const result = await withReport({ file: 'good.json', subject }, context, async () => {
    expect(read('good.json')).toMatchObject({ outcome: 'running' });
    return 7;
  });
  expect(result).toBe(7);
  expect(read('good.json')).toEqual({ ...common, outcome: 'succeeded', problems: [], causes: [], gaps: [] });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('of a failure, with the causes that an error below it brought', async () => {
  const causes = [{ code: 'image-not-found' } as WorkloadProblem];
  const wait = new TshelmError('wait-failed', {
    message: 'web is not ready',
    details: { unready: [], causes, gaps: ['logs'] },
  });
  const failure = new TshelmError('upgrade-rolled-back', {
    message: 'rolled back: web',
    details: { release: 'web', revision: 1 },
    cause: wait,
  });
  await expect(
    withReport({ file: 'bad.json', subject }, context, async () => {
      throw failure;
    }),
  ).rejects.toBe(failure);
  expect(read('bad.json')).toEqual({
    ...common,
    outcome: 'failed',
    error: { code: 'upgrade-rolled-back', message: 'rolled back: web' },
    problems: [],
    causes,
    gaps: ['logs'],
  });
});

test('of a failure that is part of the result', async () => {
  await withReport(
    { file: 'test.json', subject },
    context,
    async () => new Error('a test failed'),
    (result) => result,
  );
  expect(read('test.json')).toMatchObject({ outcome: 'failed', error: { code: 'failed', message: 'a test failed' } });
});

test('a file that cannot be written is told before anything is done', async () => {
  let isDone = false;
  const running = withReport({ file: 'missing/report.json', subject }, context, async () => {
    isDone = true;
  });
  await expect(running).rejects.toMatchObject({
    code: 'report-not-written',
    message: expect.stringContaining(join(directory, 'missing/report.json')),
  });
  expect(isDone).toBe(false);
});

test('at the end it is a warning', async () => {
  const folder = join(directory, 'gone');
  mkdirSync(folder);
  await withReport({ file: 'gone/late.json', subject }, context, async () => rmSync(folder, { recursive: true }));
  expect(said.join('')).toMatch(/^warning: the report cannot be written/);
});

test('it holds no secrets', async () => {
  secrets.add('CANARY-s3cr3t');
  const failing = withReport({ file: 'secret.json', subject }, context, async () => {
    throw new TshelmError('failed', { message: 'weak: CANARY-s3cr3t', details: { gaps: ['log: CANARY-s3cr3t'] } });
  });
  await expect(failing).rejects.toThrow('weak');
  expect(read('secret.json')).toMatchObject({ error: { message: 'weak: ***' }, gaps: ['log: ***'] });
});
