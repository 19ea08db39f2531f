import { createRequire } from 'node:module';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('the libraries are the same where the build has renamed their classes', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export { CelCompiler } from './src/cel/engine.ts';", resolveDir: '.' },
    bundle: true,
    minify: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    external: ['@marcbachmann/cel-js'],
    logLevel: 'silent',
  });
  const built = { exports: {} as typeof import('../../src/cel/engine.ts') };
  new Function('module', 'exports', 'require', outputFiles[0]?.text ?? '')(
    built,
    built.exports,
    createRequire(import.meta.url),
  );
  const program = new built.exports.CelCompiler().compile("format.dns1123Label().validate('a').hasValue()");
  expect(program.evaluate({})).toBe(false);
});
