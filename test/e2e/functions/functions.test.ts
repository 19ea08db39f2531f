import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const here = dirname(fileURLToPath(import.meta.url));
const fixtures = join(here, '../../../fixtures/functions');
const directory = mkdtempSync(join(tmpdir(), 'tshelm-functions-'));
const out = join(directory, 'out');

beforeAll(() => {
  mkdirSync(out);
  const env = { ...process.env, OUT: out, ORACLE_BUILD: join(directory, 'build') };
  execFileSync('bash', [join(here, 'refresh.sh')], { env, stdio: 'pipe' });
}, 600_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test.each(['expected.json', 'encoder-expected.json', 'typed-expected.json'])(
  "fixtures/functions/%s is what Helm's functions answer",
  (name) => {
    const read = (root: string): unknown => JSON.parse(withoutChance(readFileSync(join(root, name), 'utf8')));
    expect(read(out)).toEqual(read(fixtures));
  },
);

/** Go walks maps in random order: which of several wrong values it meets first is chance. */
const withoutChance = (text: string): string =>
  text.replace(/SetMapIndex: value of type .*? is not assignable/g, 'SetMapIndex: value is not assignable');
