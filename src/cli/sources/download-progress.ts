import type { DownloadProgress } from '../../source/http/request.ts';
import { printableLine } from '../../support/printable.ts';
import type { Io } from '../terminal/io.ts';

const shownAfterMs = 1000;
const redrawMs = 100;
const barWidth = 24;

/** Shows a download that takes longer than a second in the last line of a terminal, and clears it away at its end. */
export function downloadProgress({ stderr, now }: Io): ((progress: DownloadProgress) => void) | undefined {
  if (!stderr.isTerminal) return undefined;
  const begun = new Map<string, number>();
  let drawnAt = 0;
  let isShown = false;
  return (progress) => {
    const nowMs = now().getTime();
    const startMs = begun.get(progress.url) ?? nowMs;
    begun.set(progress.url, startMs);
    if (progress.isDone) {
      begun.delete(progress.url);
      if (isShown) stderr.write('\r\x1b[K', 'control');
      isShown = false;
      return;
    }
    if (nowMs - startMs < shownAfterMs || nowMs - drawnAt < redrawMs) return;
    drawnAt = nowMs;
    isShown = true;
    const line = printableLine(progressLine(progress, nowMs - startMs)).slice(0, (stderr.columns ?? 80) - 1);
    stderr.write(`\r${line}\x1b[K`, 'control');
  };
}

/** `[########                ] 3.2 of 9.6 MB, 1.1 MB/s  https://…` */
export function progressLine({ url, receivedBytes, totalBytes }: DownloadProgress, elapsedMs: number): string {
  const speed = `${megabytes((receivedBytes * 1000) / elapsedMs)} MB/s`;
  if (totalBytes === undefined) return `${megabytes(receivedBytes)} MB, ${speed}  ${url}`;
  const filled = Math.min(barWidth, Math.round((barWidth * receivedBytes) / totalBytes));
  const bar = '#'.repeat(filled).padEnd(barWidth);
  return `[${bar}] ${megabytes(receivedBytes)} of ${megabytes(totalBytes)} MB, ${speed}  ${url}`;
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
