import { compileRegexp } from '../go/regexp.ts';

/** So many attempts of RegExp take some tens of milliseconds at most; it goes back and tries again where Go's does not. */
const mostAttempts = 1e6;

/**
 * Whether a path matches, by the rules of gobwas/glob with `/` as separator: `*` and `?` stop at `/`, `**` does not,
 * `[a-z]`, `[!abc]` and `{one,two}` as one expects. Like Helm, a pattern that does not compile matches everything.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const source = new GlobReader(pattern).read();
  if (source === undefined) return () => true;
  const loops = pattern.match(/\*+|\{/g)?.length ?? 0;
  const expression = new RegExp(`^${source}$`, 'u');
  return (path) =>
    path.length ** loops <= mostAttempts
      ? expression.test(path)
      : compileRegexp(`^${source.replaceAll('\\u{', '\\x{').replaceAll('[^]', '(?s:.)')}$`).matches(path);
}

/** Reads a pattern into the source of a regular expression. */
class GlobReader {
  readonly #characters: readonly string[];
  #position = 0;
  #alternativesDepth = 0;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  /** undefined where the pattern has no meaning. */
  read(): string | undefined {
    let source = '';
    while (this.#position < this.#characters.length) {
      const part = this.#readPart();
      if (part === undefined) return undefined;
      source += part;
    }
    // An alternative that is never closed ends with the pattern.
    return source + ')'.repeat(this.#alternativesDepth);
  }

  #readPart(): string | undefined {
    const character = this.#next();
    switch (character) {
      case '*':
        return this.#take('*') ? '[^]*' : '[^/]*';
      case '?':
        return '[^/]';
      case '[':
        return this.#readSet();
      case '{':
        this.#alternativesDepth += 1;
        return '(?:';
      default:
        return this.#readInsideAlternatives(character);
    }
  }

  #readInsideAlternatives(character: string): string {
    if (this.#alternativesDepth > 0 && character === ',') return '|';
    if (this.#alternativesDepth > 0 && character === '}') {
      this.#alternativesDepth -= 1;
      return ')';
    }
    return character === '\\' ? escaped(this.#next()) : escaped(character);
  }

  /** After `[`: `a-z]`, `abc]`, and the same after `!`. A range is one pair; a list may escape with `\`. */
  #readSet(): string | undefined {
    const negated = this.#take('!') ? '^' : '';
    if (this.#characters[this.#position + 1] === '-') return this.#readRange(negated);
    let characters = '';
    while (this.#position < this.#characters.length && this.#characters[this.#position] !== ']') {
      const character = this.#next();
      characters += escaped(character === '\\' ? this.#next() : character);
    }
    return characters !== '' && this.#take(']') ? `[${negated}${characters}]` : undefined;
  }

  #readRange(negated: string): string | undefined {
    const low = this.#next();
    this.#next();
    const high = this.#next();
    if (high === '' || compareCodePoints(high, low) < 0 || !this.#take(']')) return undefined;
    return `[${negated}${escaped(low)}-${escaped(high)}]`;
  }

  /** The next character; '' at the end. */
  #next(): string {
    return this.#characters[this.#position++] ?? '';
  }

  #take(character: string): boolean {
    if (this.#characters[this.#position] !== character) return false;
    this.#position += 1;
    return true;
  }
}

const compareCodePoints = (a: string, b: string): number => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0);

const escaped = (character: string): string =>
  /^[\w]?$/.test(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`;
