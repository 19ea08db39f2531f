import { RE2JS, RE2JSSyntaxException } from 're2js';
import { checkTextLength } from './limits.ts';
import { type NativeRegexp, nativeRegexp } from './native-regexp.ts';
import { canBackquote, quote } from './strconv/strconv.ts';
import { GoError } from './value.ts';

/** Where a match is in the text, in UTF-16 units, and its groups; group 0 is the match itself. */
interface Match {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | undefined)[];
}

/** A compiled expression of Go's regexp package: RE2's syntax, linear time, leftmost-first matches. */
export class Regexp {
  private readonly source: string;
  /** What needs no re2js, which takes longer to load than most charts' expressions to match. */
  private readonly native: NativeRegexp | undefined;
  private parsed: RE2JS | undefined;

  /** Fails with GoError. */
  constructor(source: string) {
    this.source = source;
    this.native = nativeRegexp(source);
    if (this.native === undefined) this.parsed = parse(source);
  }

  /** MatchString. */
  matches(text: string): boolean {
    const native = this.nativeFor(text);
    return native === undefined ? this.pattern.test(text) : native(0) !== undefined;
  }

  /** FindString: '' where there is no match. */
  find(text: string): string {
    return this.all(text, 1)[0]?.groups[0] ?? '';
  }

  /** FindStringIndex, its start: -1 where there is no match. */
  search(text: string): number {
    return this.all(text, 1)[0]?.start ?? -1;
  }

  /** FindAllString: at most `limit` matches, all of them when it is negative; undefined (Go's nil) for none. */
  findAll(text: string, limit: number): string[] | undefined {
    const found = this.all(text, limit);
    return found.length === 0 ? undefined : found.map(({ groups }) => groups[0] ?? '');
  }

  /** ReplaceAllString: `$1`, `${1}`, `$name` and `${name}` stand for groups, `$$` for a dollar sign. */
  replaceAll(text: string, template: string): string {
    return this.replaced(text, template.includes('$') ? (match) => this.expand(template, match) : () => template);
  }

  /** ReplaceAllLiteralString. */
  replaceAllLiteral(text: string, replacement: string): string {
    return this.replaced(text, () => replacement);
  }

  /** Split: at most `limit` parts, all of them when it is negative; undefined (Go's nil) for 0. */
  split(text: string, limit: number): string[] | undefined {
    if (limit === 0) return undefined;
    if (this.source !== '' && text === '') return [''];
    const parts: string[] = [];
    let partStart = 0;
    let lastStart = 0;
    for (const { start, end } of this.all(text, limit)) {
      if (limit > 0 && parts.length === limit - 1) break;
      lastStart = start;
      if (end !== 0) parts.push(text.slice(partStart, start));
      partStart = end;
    }
    if (lastStart !== text.length) parts.push(text.slice(partStart));
    return parts;
  }

  private replaced(text: string, replacement: (match: Match) => string): string {
    const parts: string[] = [];
    let copied = 0;
    let added = 0;
    for (const match of this.all(text, -1)) {
      const replaced = replacement(match);
      added += replaced.length;
      checkTextLength(text.length + added);
      parts.push(text.slice(copied, match.start), replaced);
      copied = match.end;
    }
    return parts.length === 0 ? text : parts.join('') + text.slice(copied);
  }

  /** Go's allMatches: an empty match right after another match does not count. */
  private all(text: string, limit: number): Match[] {
    const found: Match[] = [];
    const most = limit < 0 ? Infinity : limit;
    const matchFrom = this.nativeFor(text) ?? this.matchesOf(text);
    let position = 0;
    let previousEnd = -1;
    while (position <= text.length && found.length < most) {
      const match = matchFrom(position);
      if (match === undefined) break;
      const { start, end } = match;
      const isEmptyAfterMatch = end === position && start === previousEnd;
      if (!isEmptyAfterMatch) found.push(match);
      position = end > position ? end : position + runeLength(text, position);
      previousEnd = end;
    }
    return found;
  }

  private groupNamed(name: string): number | undefined {
    return this.native === undefined ? this.pattern.namedGroups()[name] : undefined;
  }

  private get pattern(): RE2JS {
    this.parsed ??= parse(this.source);
    return this.parsed;
  }

  /** The search by RegExp, where it is sure to find what Go finds, and soon. */
  private nativeFor(text: string): MatchFrom | undefined {
    const { native } = this;
    if (native === undefined || text.length > native.longestText || surrogate.test(text)) return undefined;
    const { pattern } = native;
    return (position) => {
      pattern.lastIndex = position;
      const groups = pattern.exec(text);
      if (groups === null) return undefined;
      return { start: groups.index, end: groups.index + groups[0].length, groups };
    };
  }

  private matchesOf(text: string): MatchFrom {
    const matcher = this.pattern.matcher(text);
    const groupCount = matcher.groupCount();
    return (position) => {
      if (!matcher.find(position)) return undefined;
      const groups = Array.from({ length: groupCount + 1 }, (_, group) => matcher.group(group) ?? undefined);
      return { start: matcher.start(), end: matcher.end(), groups };
    };
  }

  /** Go's Regexp.expand. */
  private expand(template: string, match: Match): string {
    return template.replace(reference, (whole, braced?: string, plain?: string) => {
      if (whole === '$$') return '$';
      const name = braced ?? plain;
      if (name === undefined) return whole;
      const group = groupNumber.test(name) && name.length <= 9 ? Number(name) : this.groupNamed(name);
      return (group === undefined ? undefined : match.groups[group]) ?? '';
    });
  }
}

type MatchFrom = (position: number) => Match | undefined;

const surrogate = /[\ud800-\udfff]/;
const reference = /\$\$|\$\{([\p{L}\p{Nd}_]+)\}|\$([\p{L}\p{Nd}_]+)|\$/gu;
const groupNumber = /^(?:0|[1-9][0-9]*)$/;

const runeLength = (text: string, index: number): number => ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);

const compiled = new Map<string, Regexp>();
const mostCompiled = 1000;

/**
 * regexp.Compile, remembered. Fails with Go's words: "error parsing regexp: missing closing ): `(a`".
 */
export function compileRegexp(source: string): Regexp {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const regexp = new Regexp(source);
  if (compiled.size >= mostCompiled) compiled.clear();
  compiled.set(source, regexp);
  return regexp;
}

/** regexp.MustCompile: its failure names the whole expression too. */
export function mustCompileRegexp(source: string): Regexp {
  try {
    return compileRegexp(source);
  } catch (cause) {
    if (!(cause instanceof GoError)) throw cause;
    const quoted = canBackquote(source) ? `\`${source}\`` : quote(source);
    throw new GoError(`regexp: Compile(${quoted}): ${cause.message}`, { cause });
  }
}

function parse(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (cause) {
    if (!(cause instanceof RE2JSSyntaxException)) throw cause;
    throw new GoError(cause.message.replace(/at end of expression$/, '$&: ``'), { cause });
  }
}

/** regexp.QuoteMeta. */
export const quoteMeta = (text: string): string => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
