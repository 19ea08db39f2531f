import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

/** What it costs to keep 300 secrets out of a log of a megabyte, in one process: at most 50 ms. */
export async function masking({ root }) {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  const file = join(folder, 'secret-words.mjs');
  const entryPoints = [join(root, 'src/support/secret-words.ts')];
  await build({ entryPoints, bundle: true, format: 'esm', platform: 'node', outfile: file });
  const { SecretWords } = await import(file);
  rmSync(folder, { recursive: true });
  const words = new SecretWords();
  for (let index = 0; index < 300; index++) words.add(`secret-number-${index * 7919}-x`);
  const line = '2026-01-01T00:00:00Z INFO handler=api took=13ms password=hunter2 url=https://user:pw@host/x\n';
  const text = line.repeat(Math.ceil(1_000_000 / line.length));
  const times = Array.from({ length: 9 }, () => {
    const startedMs = performance.now();
    words.redact(text);
    return performance.now() - startedMs;
  });
  const [first] = times;
  times.sort((a, b) => a - b);
  console.log('\nmasking: a log of 1 MB, 300 secrets');
  console.log(
    `  the first ${first.toFixed(1)} ms, median of nine ${times[4].toFixed(1)} ms, at most 50: ${times[4] <= 50 ? 'yes' : 'NO'}`,
  );
}
