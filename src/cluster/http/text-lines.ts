import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { LogLine } from '../types.ts';

/** A line of a log may have that many characters; what a container runtime splits lines at. */
const longestLine = 16_384;

/** The lines of a body as they come, the last one also without a line break. A longer line ends with `…`. */
export async function* textLines(body: Readable): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let begun = '';
  let isCut = false;
  for await (const chunk of body) {
    for (const [index, text] of decoder
      .write(chunk as Buffer)
      .split('\n')
      .entries()) {
      if (index > 0) {
        yield isCut ? `${begun}…` : begun;
        [begun, isCut] = ['', false];
      }
      const room = longestLine - begun.length;
      isCut ||= text.length > room;
      begun += text.slice(0, room);
    }
  }
  if (begun !== '') yield isCut ? `${begun}…` : begun;
}

/** `2026-01-01T00:00:00.000000001Z text` as the kubelet sends it with `timestamps`. */
export function logLineOf(line: string): LogLine {
  const at = line.indexOf(' ');
  const time = at < 0 ? line : line.slice(0, at);
  if (time[10] === 'T' && !Number.isNaN(Date.parse(time))) return { time, text: at < 0 ? '' : line.slice(at + 1) };
  return { time: '', text: line };
}
