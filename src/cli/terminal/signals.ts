import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What ends a run from outside, and the exit code that shells know it by. */
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
export type EndingSignal = keyof typeof exitCodes;

/** What is under way gets that long to end and to be recorded. */
const patienceMs = 4_000;

export interface SignalHandlers {
  /** The first signal: nothing more is begun. */
  interrupt(signal: EndingSignal, exitCode: number): void;
  /** Whether what was done is being undone, which takes as long as it takes. */
  isUndoing(): boolean;
  /** The cluster does not answer: the process ends after this, with what was begun as it is. */
  tooLate(): void;
}

/** A terminal that is closed sends the same signal several times: by itself, by its shell. */
const samePressMs = 1_000;

/**
 * Calls back once for the first signal; the second ends the process at once, where it is another one or comes more than
 * a second later. Returns what takes the handlers away: a run that has ended in time no longer ends its process.
 */
export function onSignals({ interrupt, isUndoing, tooLate }: SignalHandlers): () => void {
  let first: { readonly signal: EndingSignal; readonly atMs: number } | undefined;
  let patience: NodeJS.Timeout | undefined;
  const listeners = (Object.keys(exitCodes) as EndingSignal[]).filter(isHeeded).map((signal) => {
    const exitCode = exitCodes[signal];
    const listener = (): void => {
      const atMs = performance.now();
      if (first?.signal === signal && atMs - first.atMs < samePressMs) return;
      if (first !== undefined) process.exit(exitCode);
      first = { signal, atMs };
      interrupt(signal, exitCode);
      if (!isUndoing()) patience = setTimeout(() => giveUp(exitCode), patienceMs).unref();
    };
    process.on(signal, listener);
    return [signal, listener] as const;
  });
  const giveUp = (exitCode: number): void => {
    tooLate();
    process.exit(exitCode);
  };
  const takeAway = (): void => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
  return () => {
    clearTimeout(patience);
    // What is left of the same press must not end a process that is about to end with its own exit code.
    if (first === undefined) takeAway();
    else setTimeout(takeAway, samePressMs).unref();
  };
}

/** Under `nohup` the end of the terminal means nothing; a listener of ours would bring it back. */
function isHeeded(signal: EndingSignal): boolean {
  if (signal !== 'SIGHUP') return true;
  const ignored = ignoredSignals();
  // Where that cannot be told, the system's own way of ending the process stays.
  return ignored !== undefined && (ignored & 1n) === 0n;
}

/** The signals that this process was started to ignore, a bit for each; undefined where nothing tells. */
export function ignoredSignals(platform: NodeJS.Platform = process.platform): bigint | undefined {
  try {
    const text =
      platform === 'linux'
        ? /^SigIgn:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
        : execFileSync('ps', ['-o', 'sigignore=', '-p', String(process.pid)], { encoding: 'utf8' }).trim();
    return text === undefined || !/^[0-9a-f]+$/i.test(text) ? undefined : BigInt(`0x${text}`);
  } catch {
    return undefined;
  }
}
