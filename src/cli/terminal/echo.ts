import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Whether the terminal shows what is typed: where lines change in place, it would tear them. */
export interface Echo {
  off(): void;
  on(): void;
}

/**
 * The echo of the terminal that the process runs at, through `stty`: Node's raw mode would also take Ctrl-C and Ctrl-Z from
 * the terminal and leave them to a process that may be busy. Undefined where the terminal is not ours alone, as in a pipe
 * whose other end may be a pager, and on Windows. What is typed is kept for the shell. The echo comes back when the process
 * ends; after SIGKILL the shell does that.
 */
export function terminalEcho(): Echo | undefined {
  if (process.platform === 'win32' || ![0, 1, 2].every((descriptor) => isatty(descriptor))) return undefined;
  let before: string | undefined;
  const on = (): void => {
    if (before === undefined) return;
    process.off('exit', on);
    if (isInForeground()) stty(before);
    before = undefined;
  };
  const off = (): void => {
    if (before !== undefined || !isInForeground()) return;
    before = stty('-g');
    if (before === undefined) return;
    process.on('exit', on);
    stty('-echo');
  };
  return { on, off };
}

/** Undefined where there is no such program, as in an image without a shell: then the terminal stays as it is. */
function stty(word: string): string | undefined {
  try {
    return execFileSync('stty', [word], { encoding: 'utf8', stdio: ['inherit', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** A process in the background that changes the terminal is stopped by the system. */
function isInForeground(): boolean {
  try {
    const [group, foreground] = processGroups();
    return group !== undefined && group === foreground;
  } catch {
    return false;
  }
}

/** The group of this process, and the one in the foreground of its terminal. */
function processGroups(): readonly string[] {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/);
  // Behind the name in parentheses: state, parent, group, session, terminal, foreground group.
  const [, , group = '', , , foreground = ''] =
    readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return [group, foreground];
}
