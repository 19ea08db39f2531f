import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// What the README of each example says is run, by the library as it was built, and prints what the README says.
const examples = readdirSync('examples', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'chart')
  .map(({ name }) => name);
const isBuilt = existsSync('dist/index.mjs');

test.skipIf(!isBuilt).concurrent.each(examples)(
  `%s${isBuilt ? '' : ' (skipped: npm run build makes dist/)'}`,
  async (name) => {
    const folder = join('examples', name);
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    const [command] = blocksOf(readme, 'sh');
    const [expected] = blocksOf(readme, 'text');
    if (command === undefined || expected === undefined)
      throw new Error(`${folder}/README.md has no command or no output`);
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder, env: environment() });
    if (command.includes('vitest')) expect(passedTests(stdout)).toEqual(passedTests(expected));
    else expect(stdout).toBe(expected);
  },
);

const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^(\`{3,})${language}\\n([\\s\\S]*?)^\\1$`, 'gm'))].map(([, , block]) => `${block}`);

/** Without the runner's own variables, and with types taken away where Node cannot do it. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && name !== 'NODE_ENV');
  const knowsTypes = Number(process.versions.node.split('.')[0]) >= 24;
  const hook = pathToFileURL('test/examples/types-away.mjs').href;
  return { ...Object.fromEntries(own), NO_COLOR: '1', ...(!knowsTypes && { NODE_OPTIONS: `--import=${hook}` }) };
}

/** vitest runs files side by side, and each test takes its time. */
const passedTests = (text: string): string[] =>
  (text.match(/^ ✓ .*$/gm) ?? []).map((line) => line.replace(/\s+\d+ms$/, '')).sort();
