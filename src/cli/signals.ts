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

/** Calls back once for the first signal; the second ends the process at once. Returns what takes the handlers away. */
export function onSignals({ interrupt, isUndoing, tooLate }: SignalHandlers): () => void {
  let count = 0;
  const listeners = (Object.keys(exitCodes) as EndingSignal[]).filter(isHeeded).map((signal) => {
    const exitCode = exitCodes[signal];
    const listener = (): void => {
      count += 1;
      if (count > 1) process.exit(exitCode);
      interrupt(signal, exitCode);
      if (!isUndoing()) setTimeout(() => giveUp(exitCode), patienceMs).unref();
    };
    process.on(signal, listener);
    return [signal, listener] as const;
  });
  const giveUp = (exitCode: number): void => {
    tooLate();
    process.exit(exitCode);
  };
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

/** Under `nohup` the end of the terminal means nothing; a listener of ours would bring it back. */
function isHeeded(signal: EndingSignal): boolean {
  if (signal !== 'SIGHUP') return true;
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return ignored !== undefined && (BigInt(`0x${ignored}`) & 1n) === 0n;
  } catch {
    // Where that cannot be told, the system's own way of ending the process stays.
    return false;
  }
}
