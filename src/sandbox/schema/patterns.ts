import { Regexp } from '../../go/regexp.ts';

const compiled = new Map<string, Regexp | undefined>();

/** A schema's pattern, which is Go's; undefined for one that Go does not read. */
export function patternOf(source: string): Regexp | undefined {
  if (!compiled.has(source)) compiled.set(source, read(source));
  return compiled.get(source);
}

export const isReadablePattern = (source: string): boolean => isOfBoth(source) || patternOf(source) !== undefined;

/**
 * Whether JavaScript reads the pattern too, and it has nothing that Go would refuse: then Go's reader, which takes longer to
 * load than all patterns of a CRD to read, is not needed. With `u` JavaScript is at least as strict as Go about brackets,
 * ranges and what may be repeated.
 */
function isOfBoth(source: string): boolean {
  if (source.length > longestOfBoth || !ofBoth.test(source) || repeatedAtMost(source) > mostRepeated) return false;
  try {
    return new RegExp(source.replace(ignoringCase, '(?:)'), 'u').unicode;
  } catch {
    return false;
  }
}

const longestOfBoth = 500;
/** ASCII; of groups with a question mark those that only group, and `(?i)`; no escapes of a letter but classes; no `[]`, `[[:alpha:]]`. */
const ofBoth = /^(?:[ -')-Z\]-~]|\(\?(?::|i\)(?![*+?{]))|\((?!\?)|\[(?!\^?\]|:)|\\[dDwWsS\-+*?.()[\]{}|^$/\\])*$/;
const ignoringCase = /\(\?i\)/g;

/** Go refuses more than 1000 repetitions, also of what is repeated itself. */
const mostRepeated = 1000;
const repeatedAtMost = (source: string): number =>
  source
    .split('}')
    .slice(0, -1)
    .map((part) => part.slice(part.lastIndexOf('{') + 1).split(','))
    .reduce((product, counts) => product * Math.max(1, ...counts.map((count) => Number(count) || 1)), 1);

function read(source: string): Regexp | undefined {
  try {
    return new Regexp(source);
  } catch {
    // Not an expression of Go's.
    return undefined;
  }
}
