import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** The files of the npm package, without what a build writes. */
function packed(): readonly string[] {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [archive] = JSON.parse(execFileSync('npm', words, { encoding: 'utf8', stdio: 'pipe' })) as [
    { files: { path: string }[] },
  ];
  return archive.files.map(({ path }) => path);
}

test('what tools leave behind in the examples is not packed, and every link of a packed page leads to a packed file', () => {
  const left = 'examples/vitest-chart/node_modules/.left-by-a-test';
  mkdirSync(left, { recursive: true });
  onTestFinished(() => rmSync(left, { recursive: true }));
  writeFileSync(join(left, 'results.json'), '{}');
  const files = packed();
  expect(files.filter((path) => path.includes('node_modules'))).toEqual([]);
  const there = new Set([...files, ...files.map((file) => dirname(file))]);
  const dead = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => {
      const targets = [...readFileSync(file, 'utf8').matchAll(/\]\(([^()\s#]+)(?:#[^)]*)?\)/g)].map(
        ([, target]) => `${target}`,
      );
      return targets
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => !there.has(normalize(join(dirname(file), target)).replace(/\/$/, '')))
        .map((target) => `${file}: ${target}`);
    });
  expect(dead).toEqual([]);
});

test('packing makes the examples modules of any project, and leaves the repository as it was', () => {
  const root = mkdtempSync(join(tmpdir(), 'tshelm-packed-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ['scripts', 'examples']) mkdirSync(join(root, folder));
  for (const file of ['package.json', 'scripts/packed-manifest.mjs']) copyFileSync(file, join(root, file));
  const script = (...words: readonly string[]) =>
    execFileSync('node', [join(root, 'scripts/packed-manifest.mjs'), ...words]);
  const ofExamples = join(root, 'examples/package.json');
  script();
  expect(JSON.parse(readFileSync(ofExamples, 'utf8'))).toMatchObject({ type: 'module' });
  script('--back');
  expect(existsSync(ofExamples)).toBe(false);
  expect(readFileSync(join(root, 'package.json'), 'utf8')).toBe(readFileSync('package.json', 'utf8'));
});
