import { isPrint, quote } from './strconv/strconv.ts';

/** A line as Go's log/slog text handler writes it, without a time: `level=WARN msg="this chart is deprecated"`. */
export function slogLine(
  level: 'INFO' | 'WARN' | 'ERROR',
  message: string,
  attributes: Readonly<Record<string, string>> = {},
): string {
  const pairs = Object.entries({ level, msg: message, ...attributes });
  return pairs.map(([key, value]) => `${key}=${needsQuotes(value) ? quote(value) : value}`).join(' ');
}

const needsQuotes = (value: string): boolean =>
  value === '' || /[\s"=]/.test(value) || [...value].some((character) => !isPrint(character.codePointAt(0) ?? 0));
