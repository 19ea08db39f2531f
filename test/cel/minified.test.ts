import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';

// Below the project, so that the bundle finds its packages.
const folder = mkdtempSync(join(import.meta.dirname, '../../node_modules/.cel-minified-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the libraries are the same where the build has renamed their classes', async () => {
  const outfile = join(folder, 'engine.cjs');
  await build({
    stdin: { contents: "export { CelCompiler } from './src/cel/engine.ts';", resolveDir: '.' },
    bundle: true,
    minify: true,
    outfile,
    format: 'cjs',
    platform: 'node',
    external: ['@marcbachmann/cel-js'],
    logLevel: 'silent',
  });
  const { CelCompiler } = createRequire(import.meta.url)(outfile) as typeof import('../../src/cel/engine.ts');
  const program = new CelCompiler().compile("format.dns1123Label().validate('a').hasValue()");
  expect(program.evaluate({})).toBe(false);
});
