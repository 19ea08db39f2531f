import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const here = dirname(fileURLToPath(import.meta.url));
const fixtures = join(here, '../../../fixtures');

test.each(['yaml/read', 'yaml/write', 'json/codec', 'toml/codec', 'base64/decode'])(
  "fixtures/%s.json is what Go's libraries say",
  (name) => {
    const directory = mkdtempSync(join(tmpdir(), 'tshelm-go-yaml-'));
    try {
      const copy = join(directory, 'cases.json');
      copyFileSync(join(fixtures, `${name}.json`), copy);
      execFileSync('go', ['run', '.', copy], { cwd: here });
      expect(casesOf(copy)).toEqual(casesOf(join(fixtures, `${name}.json`)));
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
);

const casesOf = (path: string): unknown => (JSON.parse(readFileSync(path, 'utf8')) as { cases: unknown }).cases;
