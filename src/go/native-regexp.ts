/** An expression that JavaScript's own RegExp matches as Go does. */
export interface NativeRegexp {
  /** With the flag `g`: a match is sought from `lastIndex` on. */
  readonly pattern: RegExp;
  /** Longer texts could take RegExp too long: it goes back and tries again where Go does not. */
  readonly longestText: number;
}

const longestSource = 200;
/** So many attempts of RegExp take some tens of milliseconds at most. */
const mostAttempts = 1e6;
/** The largest count in braces; Go takes up to 1,000. */
const mostRepeated = 100;

/**
 * The expression for RegExp, where both engines certainly agree on it in texts without surrogates: ASCII characters and
 * classes, groups without flags and names, alternatives, `^`, `$`, `\b`; loops over single characters only, and groups
 * that may be left out, but not be empty. Undefined for all others, wrong ones included.
 */
export function nativeRegexp(source: string): NativeRegexp | undefined {
  if (source === '' || source.length > longestSource) return undefined;
  try {
    return new Translation(source).whole();
  } catch (error) {
    if (error === notSure) return undefined;
    throw error;
  }
}

const notSure = new Error('not surely the same in Go and in JavaScript');

const plain = /[A-Za-z0-9 !"#%&',\-/:;<=>@_`~}]/y;
const escaped = /\\[!-/:-@[-`{-~tnrfv]/y;
const perlClass = /\\[dDwW]/y;
const repeated = /\{(\d{1,3})(?:(,)(\d{1,3})?)?\}/y;
/** A brace that begins no count. */
const braceItself = /\{(?![\d,])/y;
const loop = /[*+]/y;
const classStart = /\[\^?-?/y;
const classRange = /([a-z])-([a-z])|([A-Z])-([A-Z])|([0-9])-([0-9])/y;
const classMember = /[A-Za-z0-9 !"#$%&'()*+,./:;<=>?@_`{|}~](?!-[^\]])|\\[!-/:-@[-`{-~tnrfvdw](?!-[^\]])/y;
const whiteSpace = '\\t\\n\\f\\r ';

class Translation {
  private readonly source: string;
  private at = 0;
  private loops = 0;
  private choices = 0;

  constructor(source: string) {
    this.source = source;
  }

  whole(): NativeRegexp {
    const { text } = this.alternatives();
    if (this.at < this.source.length) throw notSure;
    const longestText = (mostAttempts / 2 ** this.choices) ** (1 / (1 + this.loops));
    return { pattern: new RegExp(text, 'g'), longestText };
  }

  /** alternatives := sequence { "|" sequence } */
  private alternatives(): Part {
    let { text, canBeEmpty } = this.sequence();
    while (this.taken('|')) {
      this.choices += 1;
      const other = this.sequence();
      text += `|${other.text}`;
      canBeEmpty ||= other.canBeEmpty;
    }
    return { text, canBeEmpty };
  }

  /** sequence := part { part }, up to "|", ")" or the end */
  private sequence(): Part {
    let text = '';
    let canBeEmpty = true;
    do {
      const part = this.part();
      text += part.text;
      canBeEmpty &&= part.canBeEmpty;
    } while (this.at < this.source.length && this.source[this.at] !== '|' && this.source[this.at] !== ')');
    return { text, canBeEmpty };
  }

  private part(): Part {
    if (this.taken('^')) return { text: '^', canBeEmpty: true };
    if (this.taken('$')) return { text: '$', canBeEmpty: true };
    if (this.taken('\\b')) return { text: '\\b', canBeEmpty: true };
    if (this.taken('(')) return this.group();
    const character = this.character();
    const count = this.count();
    return { text: character + count.text, canBeEmpty: count.canBeEmpty };
  }

  /** A group, which may be followed by "?". The "(" is already read. */
  private group(): Part {
    const opening = this.taken('?:') ? '(?:' : '(';
    const { text, canBeEmpty } = this.alternatives();
    if (!this.taken(')')) throw notSure;
    if (!this.taken('?')) return { text: `${opening}${text})`, canBeEmpty };
    // Where a group matches nothing, the engines differ in whether it was left out.
    if (canBeEmpty) throw notSure;
    this.choices += 1;
    return { text: `${opening}${text})${this.taken('?') ? '??' : '?'}`, canBeEmpty: true };
  }

  /** What matches a single character. */
  private character(): string {
    if (this.taken('.')) return '[^\\n]';
    if (this.taken('\\s')) return `[${whiteSpace}]`;
    if (this.taken('\\S')) return `[^${whiteSpace}]`;
    const start = this.match(classStart)?.[0];
    if (start !== undefined) return this.characterClass(start);
    if (this.match(braceItself) !== null) return '\\{';
    const found = this.match(plain) ?? this.match(escaped) ?? this.match(perlClass);
    if (found === null) throw notSure;
    return found[0];
  }

  private characterClass(start: string): string {
    let text = start;
    while (!this.taken(']')) {
      if (this.taken('-]')) return `${text}-]`;
      if (this.taken('\\s')) {
        if (this.source[this.at] === '-') throw notSure;
        text += whiteSpace;
        continue;
      }
      const range = this.match(classRange);
      if (range !== null && (range[0][0] as string) > (range[0][2] as string)) throw notSure;
      const found = range ?? this.match(classMember);
      if (found === null) throw notSure;
      text += found[0];
    }
    // "[]" and "[^]" are other things to Go.
    if (text === '[' || text === '[^') throw notSure;
    return `${text}]`;
  }

  /** How often a character may stand: "*", "+", "?", "{2,3}", and "?" after these for as few as possible. */
  private count(): Part {
    const count = this.match(loop) ?? this.match(repeated);
    if (count === null) {
      if (!this.taken('?')) return { text: '', canBeEmpty: false };
      this.choices += 1;
      return { text: this.taken('?') ? '??' : '?', canBeEmpty: true };
    }
    const [text, least = text === '*' ? '0' : '1', comma, most = least] = count;
    if (Number(least) > Number(most) || Number(most) > mostRepeated) throw notSure;
    if (least === most && comma === undefined && text.startsWith('{')) {
      if (this.source[this.at] === '?') throw notSure;
      return { text, canBeEmpty: Number(least) === 0 };
    }
    this.loops += 1;
    return { text: text + (this.taken('?') ? '?' : ''), canBeEmpty: Number(least) === 0 };
  }

  private taken(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (found !== null) this.at += found[0].length;
    return found;
  }
}

/** A piece of the expression for RegExp. */
interface Part {
  readonly text: string;
  readonly canBeEmpty: boolean;
}
