/** Writes the script of the playground's worker. */
export function buildEngine(outfile: string): Promise<unknown>;
