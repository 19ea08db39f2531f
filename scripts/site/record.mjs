// node scripts/site/record.mjs: runs the commands below in a pseudo-terminal (util-linux' script) and draws what it showed
// into docs/pictures/; or those of the names given. Install what this folder needs first: npm run docs, or npm ci in scripts/site.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import xterm from '@xterm/headless';
import { terminalPicture } from './terminal-picture.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = join(root, 'docs/pictures');
const cwd = join(root, 'fixtures/charts');
const columns = 100;
const rows = 40;
/** Two screens are at least so far apart. */
const pauseMs = 350;

const recordings = {
  install: 'tshelm install shop ./shop --sandbox --wait=ordered',
  plan: 'tshelm plan ./shop',
  rehearse: 'tshelm rehearse ./shop --wait=ordered',
  failure: 'tshelm install shop ./shop --sandbox --wait=ordered --fail shop-web=image-pull --grace 3s',
};
/** Recordings of a command that fails. */
const failing = new Set(['failure']);

const asked = process.argv.slice(2);

mkdirSync(folder, { recursive: true });
for (const [name, command] of Object.entries(recordings)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const screens = await record(command, failing.has(name) ? 1 : 0);
  const picture = terminalPicture({ title: command, columns, screens });
  writeFileSync(join(folder, `${name}.svg`), picture);
  console.log(`docs/pictures/${name}.svg ${Math.ceil(picture.length / 1024)} KiB`);
}

/** The screens that a terminal shows while a command runs, the command line above. */
async function record(command, wantedCode) {
  const sandbox = mkdtempSync(join(tmpdir(), 'tshelm-recording-'));
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: false });
  const line = command.replace(/^tshelm/, join(root, 'bin/tshelm'));
  const env = { ...process.env, TERM: 'xterm-256color', TSHELM_SANDBOX: sandbox, CI: '' };
  const child = spawn('script', ['-qfec', `stty cols ${columns} rows ${rows}; exec ${line}`, '/dev/null'], {
    env,
    cwd,
  });
  const ended = new Promise((done, fail) => child.once('error', fail).once('close', done));
  await written(terminal, `\x1b[1m$ ${command}\x1b[0m\r\n`);
  const screens = [{ atMs: 0, rows: screenOf(terminal) }];
  const started = Date.now();
  try {
    for await (const data of child.stdout) {
      await written(terminal, data);
      const atMs = Date.now() - started;
      if (atMs - screens.at(-1).atMs >= pauseMs) screens.push({ atMs, rows: screenOf(terminal) });
    }
    const code = await ended;
    if (code !== wantedCode) throw new Error(`${command}: exit code ${code}`);
    const last = { atMs: Math.max(Date.now() - started, screens.at(-1).atMs + pauseMs), rows: screenOf(terminal) };
    return screens.length === 1 ? [last] : [...screens, last];
  } finally {
    rmSync(sandbox, { recursive: true, force: true });
  }
}

function written(terminal, data) {
  return new Promise((done) => terminal.write(data, done));
}

/** The rows down to the last that is not empty, each as runs of one look. */
function screenOf(terminal) {
  const buffer = terminal.buffer.active;
  const found = [];
  for (let y = 0; y < buffer.length; y++) found.push(runsOf(buffer.getLine(y)));
  while (found.at(-1)?.length === 0) found.pop();
  return found;
}

function runsOf(line) {
  const runs = [];
  for (let column = 0; column < columns; column++) {
    const cell = line.getCell(column);
    const [text, look] = [cell.getChars() || ' ', lookOf(cell)];
    const last = runs.at(-1);
    if (last?.look === look) last.text += text;
    else runs.push({ column, text, look });
  }
  return runs.map((run) => ({ ...run, text: run.text.trimEnd() })).filter(({ text }) => text !== '');
}

function lookOf(cell) {
  const looks = [cell.isBold() && 'b', cell.isDim() && 'd', cell.isFgPalette() && `c${cell.getFgColor() % 8}`];
  return looks.filter(Boolean).join(' ');
}
