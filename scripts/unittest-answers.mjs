#!/usr/bin/env node
// Runs the cases of fixtures/unittest with a program and writes what it answers: report, exit code, snapshots, results.
//   node scripts/unittest-answers.mjs HELM-UNITTEST   writes fixtures/unittest/expected.json
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const fixtures = fileURLToPath(new URL('../fixtures/unittest/', import.meta.url));

export const cases = JSON.parse(readFileSync(join(fixtures, 'cases.json'), 'utf8'));

/** Runs a case in a copy of the chart; `run` gets the folder and the arguments, and gives exit code and standard output. */
export async function answerTo({ arguments: words }, run) {
  const folder = mkdtempSync(join(tmpdir(), 'unittest-answers-'));
  try {
    cpSync(join(fixtures, 'shop'), join(folder, 'shop'), { recursive: true });
    const { code, stdout } = await run(folder, words);
    const results = join(folder, 'results.xml');
    const snapshots = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.snap'))
      .sort()
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
    return {
      code,
      stdout: stdout.replace(/^Time: .*$/m, 'Time:'),
      snapshots: Object.fromEntries(snapshots),
      ...(existsSync(results) && { results: withoutSurroundings(readFileSync(results, 'utf8')) }),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Without times, and without what a file of results says of the machine. */
const withoutSurroundings = (xml) =>
  xml
    .replace(
      /\b(time|timestamp|duration|date|run-date|run-time|hostname|platform|cwd|machine-name|user|user-domain|current-culture|current-uiculture)="[^"]*"/g,
      '$1=""',
    )
    .replace(/<environment>[^<]*</g, '<environment><');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [program] = process.argv.slice(2);
  const expected = {};
  for (const one of cases) {
    expected[one.name] = await answerTo(one, (cwd, words) => {
      const { status, stdout } = spawnSync(program, words, { cwd, encoding: 'utf8' });
      return { code: status, stdout };
    });
  }
  writeFileSync(join(fixtures, 'expected.json'), `${JSON.stringify(expected, null, 1)}\n`);
}
