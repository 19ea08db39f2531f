/** A text with a place in it, for a grammar whose signs are all ASCII. */
export class RuneReader {
  private readonly text: string;
  private readonly escapes: boolean;
  private at = 0;

  constructor(text: string, { escapes }: { escapes: boolean }) {
    this.text = text;
    this.escapes = escapes;
  }

  /**
   * The text before the first of `stops`, which is read too; all the rest, and no stop, where none comes.
   * With escapes, a backslash makes what follows it an ordinary character.
   */
  until(stops: string): { text: string; stop: string | undefined } {
    const parts: string[] = [];
    let plainFrom = this.at;
    for (; this.at < this.text.length; this.at++) {
      const char = this.text.charAt(this.at);
      if (stops.includes(char)) {
        parts.push(this.text.slice(plainFrom, this.at++));
        return { text: parts.join(''), stop: char };
      }
      if (char !== '\\' || !this.escapes) continue;
      parts.push(this.text.slice(plainFrom, this.at++));
      plainFrom = this.at;
    }
    parts.push(this.text.slice(plainFrom));
    this.at = this.text.length;
    return { text: parts.join(''), stop: undefined };
  }

  peek(): string | undefined {
    return this.text[this.at];
  }

  next(): void {
    this.at++;
  }

  rest(): string {
    return this.text.slice(this.at);
  }

  skip(length: number): void {
    this.at += length;
  }
}
