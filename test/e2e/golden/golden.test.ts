import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tshelmPath } from '../support/programs.ts';

test("Helm's own command tests agree, but for those that are named with their reason", async () => {
  const helm = join(process.env['TSHELM_E2E_BIN'] ?? '', 'helm');
  const { code, output } = await new Promise<{ readonly code: unknown; readonly output: string }>((done) => {
    const words = ['test/e2e/golden/run.sh', tshelmPath, helm];
    execFile('bash', words, { maxBuffer: 1 << 28 }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
  expect(code, output).toBe(0);
  expect(output).toMatch(/^\d+ of \d+ tests that Helm passes agree$/m);
}, 1_200_000);
