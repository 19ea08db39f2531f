import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { LiveLines } from '../../src/cli/progress/live.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-echo-'));
afterAll(() => rmSync(folder, { recursive: true }));

const source = readFileSync(new URL('../../src/cli/terminal/echo.ts', import.meta.url), 'utf8');
const program = join(folder, 'echo.mjs');
const state = `/(-?isig).* (-?icanon).* (-?echo) /s.exec(execFileSync('stty', ['-a'], { encoding: 'utf8', stdio: ['inherit', 'pipe', 'inherit'] })).slice(1).join(' ')`;
writeFileSync(
  program,
  `${transformSync(source, { loader: 'ts', format: 'esm' }).code}
  const echo = terminalEcho();
  echo?.off();
  console.log('during', echo === undefined ? 'not ours' : ${state});
  const end = { on: () => echo.on(), exit: () => process.exit(1), throw: () => { throw new Error('x'); } };
  end[process.argv[2]]?.();`,
);
const stateText = join(folder, 'state.mjs');
writeFileSync(stateText, `import { execFileSync } from 'node:child_process'; console.log('after', ${state});`);

/** What a shell command prints at a terminal of its own. */
function atTerminal(command: string): readonly string[] {
  const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8' });
  return stdout.split(/\r?\n/).filter((line) => /^(?:during|after) /.test(line));
}

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;
const shown = 'isig icanon echo';
const hidden = 'isig icanon -echo';

describe.skipIf(!hasScript)('the echo of a terminal (needs script of util-linux)', () => {
  const node = `'${process.execPath}'`;
  const run = (ending: string) => `${node} ${program} ${ending}`;
  const after = `${node} ${stateText}`;

  test.each(['on', 'exit', 'throw', 'none'])('is off, with Ctrl-C kept, and back after: %s', (ending) => {
    expect(atTerminal(`${run(ending)}; ${after}`)).toEqual([`during ${hidden}`, `after ${shown}`]);
  });

  test('that was off before stays off', () => {
    expect(atTerminal(`stty -echo; ${run('on')}; ${after}`)).toEqual([`during ${hidden}`, `after ${hidden}`]);
  });

  test('is left to the foreground by a process in the background, which runs on', () => {
    expect(atTerminal(`set -m; ${run('on')} & wait; ${after}`)).toEqual([`during ${shown}`, `after ${shown}`]);
  });

  test.each(['</dev/null', '| cat', '2>/dev/null'])('is not ours with %s', (redirected) => {
    expect(atTerminal(`${run('none')} ${redirected}`)).toEqual(['during not ours']);
  });
});

test('live lines take the echo while they are there, and give it back below the last of them', () => {
  const said: string[] = [];
  const output = { write: () => said.push('write'), isTerminal: true, columns: 80, rows: 24 };
  const live = new LiveLines(output, { off: () => said.push('off'), on: () => said.push('on') });
  live.begin(() => ['a']);
  live.tell('b\n');
  live.end('c\n');
  expect(said).toEqual(['off', 'write', 'write', 'on']);
});
