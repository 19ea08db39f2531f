import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { writeChart } from './write-chart.ts';

/** A chart in a folder that is gone after the test. */
export function chartFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lsp-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeChart(folder);
  return folder;
}
