import { GoError } from '../../go/value.ts';

/** What is in `[…]` of a path: indexes of a list of that length, in the order in which they are asked for. */
export type Subscript = (length: number) => readonly number[];

/**
 * Reads a subscript: `0`, `-1`, `1:3`, `::2`, `0,2` or `*`. Throws GoError.
 * Follows yaml-jsonpath's slice notation.
 */
export function readSubscript(text: string): Subscript {
  const members = text.split(',');
  if (members.length === 1) return readMember(text.trim());
  const read = members.map((member) => {
    if (member.trim() === '*') throw new GoError('wildcard cannot be used in union');
    return readMember(member.trim());
  });
  return (length) => read.flatMap((member) => member(length));
}

function readMember(text: string): Subscript {
  if (text === '*') return (length) => Array.from({ length }, (_, index) => index);
  const parts = text.split(':');
  if (parts.length > 3) throw new GoError('malformed array index, too many colons');
  const [from, to, step = 1] = parts.map(readNumber);
  if (parts.length === 1) {
    if (from === undefined) throw new GoError('array index missing');
    return (length) => within(from < 0 ? from + length : from, length);
  }
  if (step === 0) throw new GoError('array index step value must be non-zero');
  return (length) => slice({ from, to, step }, length);
}

function readNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (!/^[+-]?[0-9]{1,15}$/.test(trimmed)) throw new GoError('non-integer array index');
  return Number(trimmed);
}

const within = (index: number, length: number): number[] => (index >= 0 && index < length ? [index] : []);

interface Slice {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly step: number;
}

function slice({ from, to, step }: Slice, length: number): number[] {
  const fromEnd = (index: number): number => (index < 0 ? index + length : index);
  const first = from === undefined ? (step > 0 ? 0 : length - 1) : fromEnd(from);
  const end = to === undefined ? (step > 0 ? length : -1) : fromEnd(to);
  const found: number[] = [];
  if (step > 0) for (let at = Math.max(first, 0); at < Math.min(end, length); at += step) found.push(at);
  else for (let at = Math.min(first, length); at > Math.max(end, -1); at += step) found.push(...within(at, length));
  return found;
}
