import { quote } from '../strconv/strconv.ts';
import { encodeText } from '../text.ts';

const maxDepth = 10_000;
const endOfInput = 'unexpected end of JSON input';

/** What encoding/json (scanner.go) says of a text that is no JSON; '' for a text that is. */
export const jsonSyntaxError = (text: string): string => jsonSyntaxFault(text)?.message ?? '';

/** The same with its place; undefined for a text that is JSON. */
export function jsonSyntaxFault(text: string): JsonSyntaxError | undefined {
  try {
    new Scanner(encodeText(text), 0).scan();
    return undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
}

/**
 * Where the JSON value ends that begins at `from`, in bytes; undefined where only space is left. What follows the value
 * does not matter. Throws {@link JsonSyntaxError}. Go: json.Decoder.
 */
export function jsonValueEnd(bytes: Uint8Array, from: number): number | undefined {
  return new Scanner(bytes, from).value();
}

export class JsonSyntaxError extends Error {
  /** How many bytes were read, the wrong one included; undefined where the text ended too early. */
  readonly offset: number | undefined;

  constructor(message: string, offset?: number) {
    super(message);
    this.offset = offset;
  }
}

const code = (char: string): number => char.charCodeAt(0);

/** Walks a JSON text byte by byte without building anything; nesting is kept in a list, not on the call stack. */
class Scanner {
  private readonly bytes: Uint8Array;
  private at: number;

  constructor(bytes: Uint8Array, from: number) {
    this.bytes = bytes;
    this.at = from;
  }

  scan(): void {
    this.scanValue();
    this.skipSpace();
    if (this.at < this.bytes.length) this.fail('after top-level value');
  }

  value(): number | undefined {
    this.skipSpace();
    if (this.at >= this.bytes.length) return undefined;
    this.scanValue();
    return this.at;
  }

  private scanValue(): void {
    const open: ('{' | '[')[] = [];
    let needsValue = true;
    for (;;) {
      if (needsValue) needsValue = !this.beginValue(open);
      if (needsValue) continue;
      if (open.length === 0) break;
      needsValue = this.afterValue(open);
    }
  }

  /** Reads a scalar or an empty collection and says true; opens another collection and says false. */
  private beginValue(open: ('{' | '[')[]): boolean {
    this.skipSpace();
    switch (this.peek()) {
      case code('{'):
        return this.beginObject(open);
      case code('['):
        return this.beginArray(open);
      case code('"'):
        this.string();
        return true;
      case code('t'):
        return this.word('true');
      case code('f'):
        return this.word('false');
      case code('n'):
        return this.word('null');
      default:
        return this.number();
    }
  }

  private beginObject(open: ('{' | '[')[]): boolean {
    this.push(open, '{');
    this.skipSpace();
    if (this.peek() === code('}')) return this.pop(open);
    this.key();
    return false;
  }

  private beginArray(open: ('{' | '[')[]): boolean {
    this.push(open, '[');
    this.skipSpace();
    return this.peek() === code(']') ? this.pop(open) : false;
  }

  private push(open: ('{' | '[')[], bracket: '{' | '['): void {
    if (open.length >= maxDepth) throw new JsonSyntaxError(`invalid character '${bracket}' exceeded max depth`);
    open.push(bracket);
    this.at++;
  }

  private pop(open: ('{' | '[')[]): true {
    open.pop();
    this.at++;
    return true;
  }

  /** After a value inside a collection: whether another value follows, or the collection ended. */
  private afterValue(open: ('{' | '[')[]): boolean {
    this.skipSpace();
    const inObject = open[open.length - 1] === '{';
    const next = this.peek();
    if (next === code(inObject ? '}' : ']')) {
      this.pop(open);
      return false;
    }
    if (next !== code(',')) this.fail(inObject ? 'after object key:value pair' : 'after array element');
    this.at++;
    if (inObject) this.key();
    return true;
  }

  private key(): void {
    this.skipSpace();
    if (this.peek() !== code('"')) this.fail('looking for beginning of object key string');
    this.string();
    this.skipSpace();
    if (this.peek() !== code(':')) this.fail('after object key');
    this.at++;
  }

  private string(): void {
    this.at++;
    for (;;) {
      const byte = this.peek();
      if (byte === code('"')) break;
      if (byte < 0x20) this.fail('in string literal');
      this.at++;
      if (byte === code('\\')) this.escape();
    }
    this.at++;
  }

  private escape(): void {
    const letter = String.fromCharCode(this.inside());
    if (!'bfnrt\\/"u'.includes(letter)) this.fail('in string escape code');
    this.at++;
    if (letter !== 'u') return;
    for (let digit = 0; digit < 4; digit++) {
      if (!/[0-9a-fA-F]/.test(String.fromCharCode(this.inside()))) this.fail('in \\u hexadecimal character escape');
      this.at++;
    }
  }

  private word(word: string): true {
    for (let index = 0; index < word.length; index++) {
      if (this.inside() !== code(word.charAt(index)))
        this.fail(`in literal ${word} (expecting '${word.charAt(index)}')`);
      this.at++;
    }
    return true;
  }

  private number(): true {
    if (this.inside() === code('-')) {
      this.at++;
      if (!this.isDigit(this.inside())) this.fail('in numeric literal');
    } else if (!this.isDigit(this.inside())) {
      this.fail('looking for beginning of value');
    }
    if (this.inside() === code('0')) this.at++;
    else this.digits();
    if (this.bytes[this.at] === code('.')) {
      this.at++;
      if (!this.isDigit(this.inside())) this.fail('after decimal point in numeric literal');
      this.digits();
    }
    if (this.bytes[this.at] === code('e') || this.bytes[this.at] === code('E')) {
      this.at++;
      if (this.inside() === code('+') || this.inside() === code('-')) this.at++;
      if (!this.isDigit(this.inside())) this.fail('in exponent of numeric literal');
      this.digits();
    }
    return true;
  }

  private digits(): void {
    while (this.isDigit(this.bytes[this.at])) this.at++;
  }

  private isDigit(byte: number | undefined): boolean {
    return byte !== undefined && byte >= 0x30 && byte <= 0x39;
  }

  private skipSpace(): void {
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return;
      this.at++;
    }
  }

  /** The byte here, inside a literal or an escape; at its end Go sees a space that is not there. */
  private inside(): number {
    return this.bytes[this.at] ?? 0x20;
  }

  /** The byte here; the end of the text is an error wherever a byte is asked for. */
  private peek(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new JsonSyntaxError(endOfInput);
    return byte;
  }

  private fail(context: string): never {
    throw new JsonSyntaxError(`invalid character ${quoteByte(this.inside())} ${context}`, this.at + 1);
  }
}

function quoteByte(byte: number): string {
  if (byte === 0x27) return `'\\''`;
  if (byte === 0x22) return `'"'`;
  return `'${quote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
