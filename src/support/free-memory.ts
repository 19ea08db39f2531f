import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** It takes some milliseconds: not for less. */
const worthBytes = 8 * 1024 * 1024;
let usedBytes: number | undefined;

/**
 * Gives back what nobody holds any more, if that may be much. The engine waits until its heap has grown by hundreds of
 * megabytes, which is more than a command that reads record after record should take of a small machine.
 */
export function freeMemory(): void {
  const used = bytesInUse();
  usedBytes ??= used;
  if (used < usedBytes + worthBytes) return;
  collect ??= findCollector();
  collect();
  usedBytes = bytesInUse();
}

function bytesInUse(): number {
  // process.memoryUsage asks the system as well, which takes ten times as long.
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

let collect: (() => void) | undefined;

function findCollector(): () => void {
  try {
    setFlagsFromString('--expose-gc');
    const gc: unknown = runInNewContext('gc');
    return typeof gc === 'function' ? (gc as () => void) : nothing;
  } catch {
    // The engine has no such flag (Bun): its own collector must do.
    return nothing;
  }
}

const nothing = (): void => {};
