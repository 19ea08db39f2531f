import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { expect, test, vi } from 'vitest';
import { type EndingSignal, ignoredSignals, onSignals } from '../../src/cli/terminal/signals.ts';

const source = readFileSync(new URL('../../src/cli/terminal/signals.ts', import.meta.url), 'utf8');
const listening = transformSync(source, { loader: 'ts', format: 'esm' }).code;

/** Runs a program that listens as tshelm does and takes two seconds for its end; returns what it said, and its exit code. */
async function signalled(signals: readonly EndingSignal[], pauseMs: number): Promise<string> {
  const program = `
    import { writeSync } from 'node:fs';
    const say = (text) => writeSync(1, text + '\\n');
    ${listening}
    const interrupt = (signal) => { say(signal); setTimeout(() => { say('recorded'); process.exit(0); }, 2500); };
    onSignals({ interrupt, isUndoing: () => false, tooLate: () => {} });
    setInterval(() => {}, 1000);
    say('ready');`;
  const words = ['--input-type=module', '-e', program];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  const ready = new Promise<void>((resolve) =>
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.startsWith('ready')) resolve();
    }),
  );
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await ready;
  for (const signal of signals) {
    child.kill(signal);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  const code = await ended;
  return `${said.replace('ready\n', '').trim().replaceAll('\n', ' ')} ${code}`.trim();
}

test.each([
  [
    'a terminal that closes sends SIGHUP twice: the run is still recorded',
    ['SIGHUP', 'SIGHUP'] as const,
    20,
    'SIGHUP recorded 0',
  ],
  ['another signal ends the run at once', ['SIGHUP', 'SIGTERM'] as const, 100, 'SIGHUP 143'],
  ['the same a second later does, too', ['SIGINT', 'SIGINT'] as const, 1200, 'SIGINT 130'],
])('%s', async (_what, signals, pauseMs, expected) => expect(await signalled(signals, pauseMs)).toBe(expected));

test('a run that ended in time leaves the process that runs it alive', () => {
  vi.useFakeTimers();
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  try {
    const tooLate = vi.fn();
    const interrupt = vi.fn();
    const stop = onSignals({ interrupt, isUndoing: () => false, tooLate });
    process.emit('SIGINT', 'SIGINT');
    expect(interrupt).toHaveBeenCalledWith('SIGINT', 130);
    stop();
    vi.advanceTimersByTime(60_000);
    expect([tooLate, exit].map((call) => call.mock.calls.length)).toEqual([0, 0]);
  } finally {
    exit.mockRestore();
    vi.useRealTimers();
  }
});

test('what the process ignores is found without /proc too, where there is ps', () => {
  const hasPs = ((): boolean => {
    try {
      return execFileSync('ps', ['-o', 'sigignore=', '-p', String(process.pid)], { encoding: 'utf8' }) !== '';
    } catch {
      return false;
    }
  })();
  expect(ignoredSignals('darwin')).toBe(hasPs ? ignoredSignals() : undefined);
});
