import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const here = dirname(fileURLToPath(import.meta.url));
const fixtures = join(here, '../../../fixtures');
const directory = mkdtempSync(join(tmpdir(), 'tshelm-go-chart-'));
const out = join(directory, 'out');

beforeAll(() => {
  const env = {
    ...process.env,
    OUT: out,
    ORACLE_BUILD: join(directory, 'build'),
    HELM: join(process.env['TSHELM_E2E_BIN'] ?? '', 'helm'),
  };
  execFileSync('bash', [join(here, 'refresh.sh')], { env, stdio: 'pipe' });
}, 600_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Answer {
  readonly error?: string;
  readonly unordered?: boolean;
}

/** The schema's findings, and the names in one, come in the order of Go's maps, another one in each run. */
const inOrder = (answer: Answer): unknown =>
  typeof answer.error === 'string'
    ? { error: answer.error.split('\n').map(wordsInOrder).sort() }
    : { ...answer, unordered: undefined };

const wordsInOrder = (line: string): string => line.replaceAll(',', '').split(' ').sort().join(' ');

test.each(['set', 'coalesce', 'load', 'ignore', 'schema', 'semver'])(
  "fixtures/%s/expected.json is what Helm's packages answer",
  (name) => {
    const read = (root: string): unknown[] =>
      (JSON.parse(readFileSync(join(root, name, 'expected.json'), 'utf8')) as { results: Answer[] }).results.map(
        inOrder,
      );
    expect(read(out)).toEqual(read(fixtures));
  },
);

test.each(['chart', 'values', 'readme', 'crds', 'all'])('fixtures/show/%s.txt is what Helm shows', (section) => {
  const read = (root: string): string => readFileSync(join(root, 'show', `${section}.txt`), 'utf8');
  expect(read(out)).toBe(read(fixtures));
});
