/** A pattern that matches a text and nothing else: `RegExp.escape` of newer runtimes. */
export const literalPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a text fits a pattern, in which `*` stands for any text. */
export function fitsPattern(text: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts) {
    at = text.indexOf(part, at);
    if (at < 0 || (at += part.length) > end) return false;
  }
  return true;
}
