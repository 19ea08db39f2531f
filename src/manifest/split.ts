/**
 * The documents of a rendered file, in order, without their `---` lines and without leading blank space; blank ones are left out.
 * A document may follow `---` on the same line, as charts in the wild rely on. Follows Helm's releaseutil.SplitManifests.
 */
export function splitDocuments(text: string): string[] {
  return trimSpaceLeft(text)
    .split(separator)
    .map(trimSpaceLeft)
    .filter((document) => document !== '');
}

// Go's (?m)^ begins a line after \n only; JavaScript's m flag would also take \r, U+2028 and U+2029.
const separator = /(?<![^\n])---[ \t]*/;

const trimSpaceLeft = (text: string): string => text.replace(leadingSpace, '');

// unicode.IsSpace: JavaScript's \s has U+FEFF too, and lacks U+0085.
const leadingSpace = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const space = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Go's strings.TrimSpace. */
export function trimSpace(text: string): string {
  // A pattern that ends in $ would try every run of spaces in the text, and a manifest may have megabytes.
  let end = text.length;
  while (end > 0 && space.test(text[end - 1] as string)) end -= 1;
  return trimSpaceLeft(text.slice(0, end));
}
