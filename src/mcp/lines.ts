/** A line of the input, or that there was one with too many bytes, of which nothing is kept. */
export type InputLine = { readonly text: string } | { readonly isTooLong: true };

const newline = 10;

/** The lines of a stream, without empty ones; memory never holds more than `maxBytes` of one and the last chunk. */
export async function* linesOf(input: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<InputLine> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const taken = (): InputLine | undefined => {
    const text = size > maxBytes ? undefined : Buffer.concat(parts).toString('utf8').trim();
    [parts, size] = [[], 0];
    if (text === undefined) return { isTooLong: true };
    return text === '' ? undefined : { text };
  };
  const add = (part: Uint8Array): void => {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  };
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      const line = taken();
      if (line !== undefined) yield line;
    }
    add(chunk.subarray(start));
  }
  const last = taken();
  if (last !== undefined) yield last;
}
