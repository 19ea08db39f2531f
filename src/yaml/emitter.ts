import type { VisitCount } from '../go/limits.ts';
import { byteLength } from '../go/text.ts';

/** Where the two Go libraries lay a document out differently. */
export interface Layout {
  /** Lines of plain and quoted scalars are folded at the first space after this column. */
  readonly foldAfterColumn: number;
  /** Whether a sequence is two columns to the right of the key that holds it. */
  readonly indentsSequences: boolean;
  /** Whether a tab may appear in a literal block. */
  readonly tabInLiteral: boolean;
}

/** go.yaml.in/yaml/v2, as sigs.k8s.io/yaml uses it. */
export const layoutV2: Layout = { foldAfterColumn: 80, indentsSequences: false, tabInLiteral: false };
/** go.yaml.in/yaml/v3 with SetIndent(2). */
export const layoutV3: Layout = { foldAfterColumn: Infinity, indentsSequences: true, tabInLiteral: true };

export type ScalarStyle = 'plain' | 'double' | 'literal';

/** What is around a node: it decides the indentation of sequences and which styles a scalar may have. */
type Context = 'root' | 'item' | 'value' | 'key';

const simpleKeyBytes = 128;

/**
 * Writes one YAML document in block style with libyaml's layout (emitterc.go). The caller walks its value and calls
 * `scalar`, or `beginSequence`, `item` … `end`, or `beginMapping`, `key`, `value` … `end`; then `finish`.
 */
export class Emitter {
  private readonly layout: Layout;
  private readonly visits: VisitCount | undefined;
  private text = '';
  private column = 0;
  /** The last character was white space that separates tokens. */
  private whitespace = true;
  /** Only indentation and block indicators stand on this line so far. */
  private indention = true;
  private indent = -1;
  private readonly indents: number[] = [];
  private context: Context = 'root';
  private keyIsSimple = true;

  /** `visits` ends the writing of what is small in memory and without end when it is written out. */
  constructor(layout: Layout, visits?: VisitCount) {
    this.layout = layout;
    this.visits = visits;
  }

  /** The document, with its line break at the end. */
  finish(): string {
    this.indent = -1;
    this.writeIndent();
    return this.text;
  }

  beginSequence(): void {
    const indentless = !this.layout.indentsSequences && this.context === 'value' && !this.indention;
    this.pushIndent(false, indentless);
  }

  item(): void {
    this.visits?.add(1);
    this.writeIndent();
    this.indicator('-', true);
    this.context = 'item';
  }

  beginMapping(): void {
    this.pushIndent(false, false);
  }

  /** Writes a key and its colon; the value comes next. */
  key(text: string, style: ScalarStyle, tag = ''): void {
    this.visits?.add(1);
    this.writeIndent();
    this.keyIsSimple = isSimpleKey(text, tag);
    if (this.keyIsSimple) {
      this.context = 'key';
      this.scalar(text, style, tag);
      this.text += ':';
      this.column += 1;
      this.whitespace = false;
      this.indention = false;
    } else {
      this.indicator('?', true);
      this.context = 'value';
      this.scalar(text, style, tag);
      this.writeIndent();
      this.indicator(':', true);
    }
    this.context = 'value';
  }

  end(): void {
    this.indent = this.indents.pop() as number;
  }

  /** `{}` or `[]`. */
  empty(collection: '{}' | '[]'): void {
    this.indicator(collection, false);
  }

  /** A scalar in the wished style, or in the next one that can hold it. */
  scalar(text: string, style: ScalarStyle, tag = ''): void {
    if (tag !== '') this.word(tag);
    if (style === 'plain' && isPlainAscii.test(text)) {
      if (this.layout.foldAfterColumn === Infinity || !text.includes(' ') || this.context === 'key') this.word(text);
      else this.indented(() => this.plain(text));
      return;
    }
    this.indented(() => this.analysed(text, style));
  }

  private analysed(text: string, wished: ScalarStyle): void {
    const allowed = analyse(text, this.layout);
    const inKey = this.context === 'key';
    let style: ScalarStyle | 'single' = wished;
    if (inKey && allowed.multiline) style = 'double';
    if (style === 'plain' && (!allowed.plain || (text === '' && inKey))) style = 'single';
    if (style === 'single' && !allowed.single) style = 'double';
    if (style === 'literal' && (!allowed.block || inKey)) style = 'double';
    switch (style) {
      case 'plain':
        return this.plain(text);
      case 'single':
        return this.singleQuoted(text);
      case 'literal':
        return this.literal(text);
      default:
        return this.doubleQuoted(text);
    }
  }

  /** Something that is never folded, after a space where one is needed. */
  private word(text: string): void {
    if (!this.whitespace) {
      this.text += ' ';
      this.column += 1;
    }
    this.text += text;
    this.column += text.length;
    this.whitespace = false;
    this.indention = false;
  }

  private indented(write: () => void): void {
    this.pushIndent(true, false);
    write();
    this.end();
  }

  private pushIndent(flow: boolean, indentless: boolean): void {
    this.indents.push(this.indent);
    if (this.indent < 0) this.indent = flow ? 2 : 0;
    else if (!indentless) this.indent += 2;
  }

  private plain(text: string): void {
    if (!this.whitespace && text !== '') this.put(' ');
    this.folded(text, false);
    this.whitespace = false;
    this.indention = false;
  }

  private singleQuoted(text: string): void {
    this.indicator("'", false);
    this.folded(text, true);
    this.put("'");
    this.whitespace = false;
    this.indention = false;
  }

  /** The characters of a plain or single-quoted scalar: folded at single spaces, a line break written as two. */
  private folded(text: string, quoted: boolean): void {
    const mayBreak = this.context !== 'key';
    let spaces = false;
    let breaks = false;
    for (let index = 0; index < text.length; index++) {
      const char = text[index] as string;
      if (char === ' ') {
        const insideText = !quoted || (index > 0 && index < text.length - 1);
        if (mayBreak && !spaces && this.column > this.layout.foldAfterColumn && insideText && text[index + 1] !== ' ') {
          this.writeIndent();
        } else {
          this.put(' ');
        }
        spaces = true;
      } else if (isBreak(char)) {
        if (!breaks && char === '\n') this.putBreak();
        this.writeBreak(char);
        breaks = true;
      } else {
        if (breaks) this.writeIndent();
        if (quoted && char === "'") this.put("'");
        this.put(char);
        this.indention = false;
        spaces = false;
        breaks = false;
      }
    }
  }

  private doubleQuoted(text: string): void {
    const mayBreak = this.context !== 'key';
    // The library looks for a byte order mark at the start of the text, wherever it is.
    const escapesAll = text.startsWith('\ufeff');
    this.indicator('"', false);
    let spaces = false;
    let index = 0;
    for (const char of text) {
      if (escapesAll || !isPrintable(char, false) || isBreak(char) || char === '"' || char === '\\') {
        this.put(escapeOf(char));
        spaces = false;
      } else if (char === ' ') {
        const inside = index > 0 && index < text.length - 1;
        if (mayBreak && !spaces && this.column > this.layout.foldAfterColumn && inside) {
          this.writeIndent();
          if (text[index + 1] === ' ') this.put('\\');
        } else {
          this.put(' ');
        }
        spaces = true;
      } else {
        this.put(char);
        spaces = false;
      }
      index += char.length;
    }
    this.put('"');
    this.whitespace = false;
    this.indention = false;
  }

  private literal(text: string): void {
    this.indicator(`|${blockHints(text)}`, false);
    this.putBreak();
    this.whitespace = true;
    let breaks = true;
    let from = 0;
    while (from < text.length) {
      const char = text[from] as string;
      if (isBreak(char)) {
        this.writeBreak(char);
        breaks = true;
        from += 1;
        continue;
      }
      if (breaks) this.writeIndent();
      const to = endOfLine(text, from);
      this.put(text.slice(from, to));
      this.indention = false;
      breaks = false;
      from = to;
    }
  }

  private writeIndent(): void {
    const indent = Math.max(this.indent, 0);
    if (!this.indention || this.column > indent || (this.column === indent && !this.whitespace)) this.putBreak();
    if (this.column < indent) this.put(indent - this.column === 2 ? '  ' : ' '.repeat(indent - this.column));
    this.whitespace = true;
    this.indention = true;
  }

  /** An indicator before which white space is needed; a block indicator ("-", "?", ":") keeps the line's indentation open. */
  private indicator(text: string, isBlock: boolean): void {
    if (!this.whitespace) this.put(' ');
    this.text += text;
    this.column += text.length;
    this.whitespace = false;
    this.indention = this.indention && isBlock;
  }

  private put(text: string): void {
    this.text += text;
    this.column += text.length;
  }

  private putBreak(): void {
    this.text += '\n';
    this.column = 0;
    this.indention = true;
  }

  private writeBreak(char: string): void {
    this.text += char;
    this.column = 0;
    this.indention = true;
  }
}

function isSimpleKey(text: string, tag: string): boolean {
  if (text.length > simpleKeyBytes) return false;
  if (text.length * 3 <= simpleKeyBytes && !text.includes('\n')) return !hasBreak.test(text);
  return !hasBreak.test(text) && byteLength(text) + tag.length <= simpleKeyBytes;
}

const hasBreak = /[\n\r\x85\u2028\u2029]/;
const isBreak = (char: string): boolean => hasBreak.test(char);

function endOfLine(text: string, from: number): number {
  let to = from;
  while (to < text.length && !isBreak(text[to] as string)) to++;
  return to;
}

/** The indentation hint (a text that starts with white space) and the chomping hint of a literal block. */
function blockHints(text: string): string {
  const first = text[0] as string;
  const indentation = first === ' ' || isBreak(first) ? '2' : '';
  if (!isBreak(text[text.length - 1] as string)) return `${indentation}-`;
  if (text.length === 1 || isBreak(text[text.length - 2] as string)) return `${indentation}+`;
  return indentation;
}

/**
 * Text on one line that the emitter writes as it is: no indicator at the start, no ": " or " #" inside, no space at
 * the ends. Nearly every scalar of a chart is such a text, so this one test decides most of the work.
 */
const isPlainAscii =
  /^(?!---|\.\.\.)(?:[A-Za-z0-9_$()+./;<=\\^~]|[?:-](?=[!-~]))(?:[!-9;-~]|:(?=[!-~])| (?=[ !"$-~]))*$/;

interface AllowedStyles {
  readonly multiline: boolean;
  readonly plain: boolean;
  readonly single: boolean;
  readonly block: boolean;
}

const startIndicators = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \t\n\r\x85\u2028\u2029]|$)|---|\.\.\.)/;
const innerIndicators = /.:(?:[ \t\n\r\x85\u2028\u2029]|$)|[ \t\n\r\x85\u2028\u2029]#/s;
const breakThenSpace = /[\n\r\x85\u2028\u2029] /;
const spaceThenBreak = / [\n\r\x85\u2028\u2029]/;

/** yaml_emitter_analyze_scalar, for the block context. */
function analyse(text: string, layout: Layout): AllowedStyles {
  if (text === '') return { multiline: false, plain: true, single: true, block: false };
  const multiline = hasBreak.test(text);
  const special = hasUnprintable(text, layout.tabInLiteral) || spaceThenBreak.test(text);
  const tab = layout.tabInLiteral && text.includes('\t');
  const breakSpace = breakThenSpace.test(text);
  const endsWithSpace = text.endsWith(' ');
  const blankEnds = text.startsWith(' ') || endsWithSpace;
  const indicators = startIndicators.test(text) || innerIndicators.test(text);
  return {
    multiline,
    plain: !(multiline || special || tab || breakSpace || blankEnds || indicators),
    single: !(special || tab || breakSpace),
    block: !(special || endsWithSpace),
  };
}

function hasUnprintable(text: string, tabIsPrintable: boolean): boolean {
  if (isPrintableAscii.test(text)) return false;
  for (const char of text) if (!isPrintable(char, tabIsPrintable)) return true;
  return false;
}

const isPrintableAscii = /^[\n\x20-\x7e]*$/;

/** The library takes characters beyond the Basic Multilingual Plane for unprintable. */
function isPrintable(char: string, tabIsPrintable: boolean): boolean {
  if (char.length > 1) return false;
  const code = char.charCodeAt(0);
  if (code < 0x7f) return code >= 0x20 || code === 0x0a || (code === 0x09 && tabIsPrintable);
  return (code >= 0xa0 && code < 0xd800) || (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff);
}

const shortEscapes = new Map<number, string>([
  [0x00, '\\0'],
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x1b, '\\e'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
  [0x85, '\\N'],
  [0xa0, '\\_'],
  [0x2028, '\\L'],
  [0x2029, '\\P'],
]);

function escapeOf(char: string): string {
  const code = char.codePointAt(0) as number;
  const short = shortEscapes.get(code);
  if (short !== undefined) return short;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
