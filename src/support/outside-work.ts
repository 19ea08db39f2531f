let underWay = 0;

/** Waits for work that goes on beside the event loop: in zlib's threads, on the disk. Simulated time stands still meanwhile. */
export async function awaitOutsideWork<T>(work: Promise<T>): Promise<T> {
  underWay += 1;
  try {
    return await work;
  } finally {
    underWay -= 1;
  }
}

export const isWorkOutside = (): boolean => underWay > 0;
