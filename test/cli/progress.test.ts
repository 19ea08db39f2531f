import { expect, test } from 'vitest';
import type { Output } from '../../src/cli/io.ts';
import { liveLines, noPaint } from '../../src/cli/progress/live.ts';
import { liveReporter, plainReporter } from '../../src/cli/progress/reporter.ts';
import { advance, noProgress } from '../../src/cli/progress/state.ts';
import type { ExecutionEvent } from '../../src/execute/events.ts';

const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const job = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'shop', name: 'preflight' };

const events: readonly ExecutionEvent[] = [
  { kind: 'step-started', title: 'apply 2 resources', step: { kind: 'create-namespace', name: 'shop' } },
  { kind: 'hook', id: job, event: 'pre-install', state: 'succeeded' },
  { kind: 'resource', id: web, state: 'applying' },
  { kind: 'resource', id: web, state: 'created' },
  { kind: 'resource', id: web, state: 'waiting', reason: '1 of 2 replicas available' },
];

function record(isTerminal: boolean): Output & { text: string } {
  const output = { text: '', isTerminal, columns: 60, rows: 20, write: (text: string) => void (output.text += text) };
  return output;
}

test('without a terminal each change is a line, said once', () => {
  const output = record(false);
  const reporter = plainReporter(output, 'shop', () => 1500);
  for (const event of [...events, ...events.slice(-1)]) reporter.onEvent(event);
  reporter.finish();
  expect(output.text).toBe(
    [
      '   0.0s  apply 2 resources',
      '   0.0s  pre-install hook Job/preflight succeeded',
      '   0.0s  Deployment/web created',
      '   0.0s  Deployment/web waiting: 1 of 2 replicas available',
      '',
    ].join('\n'),
  );
});

test('on a terminal the open objects stand in a table', () => {
  const state = events.reduce((before, event) => advance(before, event, 'shop', 1000), noProgress);
  expect(liveLines(state, { columns: 80, rows: 20 }, 0, 3000, noPaint)).toEqual([
    '⠋ apply 2 resources 3.0s  1 succeeded, 1 waiting',
    '  Deployment/web  waiting 2.0s  1 of 2 replicas available',
  ]);
});

test('a line that is too long for the terminal is cut', () => {
  const state = advance(noProgress, { kind: 'resource', id: web, state: 'waiting', reason: 'x'.repeat(99) }, 'shop', 0);
  const lines = liveLines(state, { columns: 40, rows: 20 }, 0, 0, noPaint);
  expect(lines.every((line) => line.replace(/\x1b\[[\d;]*m/g, '').length <= 40)).toBe(true);
});

test('the live table is gone when the run is over', () => {
  const output = record(true);
  const reporter = liveReporter(output, 'shop', () => 0, noPaint);
  for (const event of events) reporter.onEvent(event);
  reporter.onEvent({ kind: 'warning', text: 'old API' });
  reporter.finish();
  expect(output.text).toContain('warning: old API\n');
  expect(output.text.endsWith('\x1b[0J')).toBe(true);
});
