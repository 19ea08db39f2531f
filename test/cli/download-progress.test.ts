import { expect, test } from 'vitest';
import { downloadProgress } from '../../src/cli/sources/download-progress.ts';
import type { Io } from '../../src/cli/terminal/io.ts';

const url = 'https://charts.example.com/red-1.0.0.tgz';

/** What a terminal of 60 columns shows of a download, by a clock of the test's own. */
function watched({ isTerminal = true } = {}) {
  const written: string[] = [];
  let nowMs = 0;
  const stderr = { write: (text: string) => void written.push(text), isTerminal, columns: 60, rows: 24 };
  const show = downloadProgress({ stderr, now: () => new Date(nowMs) } as unknown as Io);
  return {
    show,
    at(ms: number, receivedBytes: number, { totalBytes = 10e6, isDone = false } = {}): string {
      nowMs = ms;
      written.length = 0;
      show?.({ url, receivedBytes, totalBytes, isDone });
      return written.join('');
    },
  };
}

test('a download is shown after a second, ten times a second, and cleared away at its end', () => {
  const { at } = watched();
  expect(at(0, 1e5)).toBe('');
  expect(at(999, 2e6)).toBe('');
  expect(at(2000, 5e6)).toBe('\r[############            ] 5.0 of 10.0 MB, 2.5 MB/s  https:\x1b[K');
  expect(at(2050, 6e6)).toBe('');
  expect(at(2100, 7.5e6)).toContain('[##################      ] 7.5 of 10.0 MB, 3.6 MB/s');
  expect(at(3000, 1e7, { isDone: true })).toBe('\r\x1b[K');
});

test('one of under a second is not shown, nor cleared away', () => {
  const { at } = watched();
  expect(at(0, 1e5) + at(900, 1e7, { isDone: true })).toBe('');
  expect(at(1500, 1e5)).toBe('');
});

test('where no terminal is, nothing is shown', () => {
  expect(watched({ isTerminal: false }).show).toBeUndefined();
});
