import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, hostname, platform, userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import { withPathErrors } from '../../../go/path-error.ts';
import { type ResultFormat, resultFile } from '../../../unittest/report/result-files.ts';
import type { SuiteResult } from '../../../unittest/results.ts';
import type { Io } from '../../terminal/io.ts';

const formats: ReadonlySet<string> = new Set<ResultFormat>(['junit', 'nunit', 'xunit', 'sonar']);

export const isResultFormat = (word: string): word is ResultFormat => formats.has(word);

/** Writes the results of suites into a file, and the folders that it needs. Throws GoError. */
export function writeResultFile(
  file: string,
  format: ResultFormat,
  suites: readonly SuiteResult[],
  { cwd: folder, now }: Pick<Io, 'cwd' | 'now'>,
): void {
  const path = resolve(folder, file);
  const text = resultFile(
    format,
    suites.filter(({ error }) => error === undefined),
    {
      date: now(),
      folder,
      host: hostname(),
      user: userInfo().username,
      platform: `node${process.versions.node}.${platform()}-${arch()}`,
      language: Intl.DateTimeFormat().resolvedOptions().locale,
    },
  );
  writeFolderedFile(path, text);
}

/** Writes a file, and the folders that it needs. Throws GoError. */
export function writeFolderedFile(path: string, text: string): void {
  withPathErrors('mkdir', dirname(path), () => mkdirSync(dirname(path), { recursive: true }));
  withPathErrors('open', path, () => writeFileSync(path, text));
}
