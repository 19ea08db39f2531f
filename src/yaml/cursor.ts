import { emptyLines, endOf, isBreak } from './chars.ts';
import { type Mark, YamlProblem } from './tokens.ts';

/** A place in a YAML text that moves forward. The text ends with a NUL, so that looking ahead needs no checks. */
export class Cursor {
  readonly text: string;
  at = 0;
  line = 0;
  lineStart = 0;

  /** The text without its byte order mark; it must hold no NUL of its own. */
  constructor(text: string) {
    this.text = `${text}\0`;
  }

  get column(): number {
    return this.at - this.lineStart;
  }

  get code(): number {
    return this.text.charCodeAt(this.at);
  }

  /** The character after `distance` others; NaN behind the end. */
  codeAt(distance: number): number {
    return this.text.charCodeAt(this.at + distance);
  }

  mark(): Mark {
    return { line: this.line, column: this.at - this.lineStart };
  }

  /** Moves over a line break, if one is here; CR LF is one. */
  skipLine(): void {
    const { code } = this;
    if (!isBreak(code)) return;
    this.at += code === 0x0d && this.codeAt(1) === 0x0a ? 2 : 1;
    this.line += 1;
    this.lineStart = this.at;
  }

  /** At the beginning of a line: moves over lines of spaces and comments that end with LF. */
  skipEmptyLines(): void {
    const end = endOf(emptyLines, this.text, this.at);
    if (end === this.at) return;
    for (
      let index = this.text.indexOf('\n', this.at);
      index >= 0 && index < end;
      index = this.text.indexOf('\n', index + 1)
    )
      this.line += 1;
    this.at = end;
    this.lineStart = end;
  }

  /** Moves over a line break and gives what it means: LF, save for the separators U+2028 and U+2029. */
  readBreak(): string {
    const { code } = this;
    this.skipLine();
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : '\n';
  }

  /** Ends the line as the library does at the end of the text. */
  forceNewLine(): void {
    if (this.column === 0) return;
    this.line += 1;
    this.lineStart = this.at;
  }

  /** Whether a document indicator (--- or ...) begins this line. */
  isAtDocumentIndicator(): boolean {
    if (this.at !== this.lineStart) return false;
    const { code } = this;
    if (code !== 0x2d && code !== 0x2e) return false;
    if (this.codeAt(1) !== code || this.codeAt(2) !== code) return false;
    const after = this.codeAt(3);
    return after === 0x20 || after === 0x09 || after === 0 || isBreak(after);
  }

  /** A scanner's error: the library reports the line of the cursor, none in the first line. `mark` is where the mistake begins. */
  fail(problem: string, mark: Mark = this.mark()): never {
    const fromOne = (line: number): number => (line === 0 ? 0 : line + 1);
    throw new YamlProblem(problem, mark, { line: fromOne(this.line), context: fromOne(mark.line) });
  }
}
