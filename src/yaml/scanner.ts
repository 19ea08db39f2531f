import { codeOf, endOf, isBlank, isBlankBreakOrEnd, isBreak, isSpace, isWord, restOfLine } from './chars.ts';
import { Cursor } from './cursor.ts';
import { scanBlockScalar, scanPlain, scanQuoted } from './scan-scalars.ts';
import { scanDirective, scanTag } from './scan-tag.ts';
import type { Mark, Token, TokenKind } from './tokens.ts';

/** A place where a key without "?" may have begun: only the ":" behind it tells. */
interface SimpleKey {
  /** Nothing but a key can appear here, so a missing ":" is an error. */
  readonly isRequired: boolean;
  /** The number that the key's token would have. */
  readonly tokenNumber: number;
  readonly at: number;
  readonly mark: Mark;
  isPossible: boolean;
}

const noKey = (tokenNumber: number): SimpleKey => ({
  isRequired: false,
  tokenNumber,
  at: 0,
  mark: { line: 0, column: 0 },
  isPossible: false,
});

const longestSimpleKey = 1024;
const maxDepth = 10_000;

/**
 * The tokens of a YAML text, by the rules of libyaml's scanner (scannerc.go): indentation becomes start and end
 * tokens, and a ":" puts a key token before what was already read. Throws YamlProblem.
 */
export class Scanner {
  private readonly cursor: Cursor;
  private tokens: Token[] = [];
  private head = 0;
  private taken = 0;
  private streamEnded = false;
  private indent = -1;
  private readonly indents: number[] = [];
  private flowLevel = 0;
  private simpleKeyAllowed = true;
  /** The latest simple key of each flow level; the block context is level 0. */
  private readonly simpleKeys: SimpleKey[] = [noKey(0)];
  private readonly simpleKeysByToken = new Map<number, SimpleKey>();

  constructor(text: string) {
    this.cursor = new Cursor(text);
  }

  /** The next token, which stays where it is. After the end it is `stream-end` again and again. */
  peek(): Token {
    while (this.needsMoreTokens()) this.fetchToken();
    return this.tokens[this.head] as Token;
  }

  /** Takes the token that `peek` gave. */
  skip(): void {
    if ((this.tokens[this.head] as Token).kind === 'stream-end') return;
    this.taken += 1;
    this.head += 1;
    if (this.head === this.tokens.length) {
      this.tokens = [];
      this.head = 0;
    }
  }

  private needsMoreTokens(): boolean {
    if (this.head === this.tokens.length) return !this.streamEnded;
    const key = this.simpleKeysByToken.get(this.taken);
    return key !== undefined && this.isStillPossible(key);
  }

  private fetchToken(): void {
    const { cursor } = this;
    this.skipToToken();
    this.unrollIndent(cursor.column);
    const { code } = cursor;
    if (code === 0) return this.fetchStreamEnd();
    if (cursor.column === 0 && code === codeOf('%')) return this.fetchDirective();
    if (cursor.isAtDocumentIndicator()) return this.fetchDocumentIndicator();
    switch (code) {
      case 0x5b /* [ */:
        return this.fetchFlowStart('flow-sequence-start');
      case 0x7b /* { */:
        return this.fetchFlowStart('flow-mapping-start');
      case 0x5d /* ] */:
        return this.fetchFlowEnd('flow-sequence-end');
      case 0x7d /* } */:
        return this.fetchFlowEnd('flow-mapping-end');
      case 0x2c /* , */:
        return this.fetchFlowEntry();
      case 0x2a /* * */:
        return this.fetchAnchor('alias');
      case 0x26 /* & */:
        return this.fetchAnchor('anchor');
      case 0x21 /* ! */:
        return this.fetchTag();
      case 0x27 /* ' */:
      case 0x22 /* " */:
        return this.fetchQuoted();
      default:
        return this.fetchContextual(code);
    }
  }

  /** Tokens whose meaning depends on the context or on the next character. */
  private fetchContextual(code: number): void {
    const { cursor } = this;
    const inFlow = this.flowLevel > 0;
    const standsAlone = isBlankBreakOrEnd(cursor.codeAt(1));
    switch (code) {
      case 0x2d /* - */:
        if (standsAlone) return this.fetchBlockEntry();
        break;
      case 0x3f /* ? */:
        if (inFlow || standsAlone) return this.fetchKey();
        break;
      case 0x3a /* : */:
        if (inFlow || standsAlone) return this.fetchValue();
        break;
      case 0x7c /* | */:
      case 0x3e /* > */:
        if (!inFlow) return this.fetchBlockScalar();
        return cursor.fail('found character that cannot start any token');
      case 0x09:
      case 0x23 /* # */:
      case 0x25 /* % */:
      case 0x40 /* @ */:
      case 0x60 /* ` */:
        return cursor.fail('found character that cannot start any token');
      default:
    }
    this.fetchPlain();
  }

  /** Moves over white space and comments. No tab may be where a simple key may begin in the block context. */
  private skipToToken(): void {
    const { cursor } = this;
    for (;;) {
      const isSkipped = this.flowLevel > 0 || !this.simpleKeyAllowed ? isBlank : isSpace;
      while (isSkipped(cursor.code)) cursor.at += 1;
      if (cursor.code === codeOf('#')) cursor.at = endOf(restOfLine, cursor.text, cursor.at);
      if (!isBreak(cursor.code)) return;
      cursor.skipLine();
      cursor.skipEmptyLines();
      if (this.flowLevel === 0) this.simpleKeyAllowed = true;
    }
  }

  private fetchStreamEnd(): void {
    this.cursor.forceNewLine();
    this.leaveBlocks();
    this.push('stream-end', this.cursor.mark());
    this.streamEnded = true;
  }

  private fetchDirective(): void {
    this.leaveBlocks();
    const mark = this.cursor.mark();
    const directive = scanDirective(this.cursor);
    this.push(directive.kind, mark, directive.value, directive.suffix);
  }

  private fetchDocumentIndicator(): void {
    this.leaveBlocks();
    this.indicator(this.cursor.code === codeOf('-') ? 'document-start' : 'document-end', 3);
  }

  private leaveBlocks(): void {
    this.unrollIndent(-1);
    this.removeSimpleKey();
    this.simpleKeyAllowed = false;
  }

  private fetchFlowStart(kind: TokenKind): void {
    this.saveSimpleKey();
    this.simpleKeys.push(noKey(this.nextTokenNumber()));
    this.flowLevel += 1;
    if (this.flowLevel > maxDepth) this.cursor.fail(`exceeded max depth of ${maxDepth}`);
    this.simpleKeyAllowed = true;
    this.indicator(kind);
  }

  private fetchFlowEnd(kind: TokenKind): void {
    this.removeSimpleKey();
    if (this.flowLevel > 0) {
      this.flowLevel -= 1;
      // Without a key inside, this number is that of the collection itself: the library then no longer waits for
      // the ":" that would make an empty collection a key.
      this.simpleKeysByToken.delete((this.simpleKeys.pop() as SimpleKey).tokenNumber);
    }
    this.simpleKeyAllowed = false;
    this.indicator(kind);
  }

  private fetchFlowEntry(): void {
    this.removeSimpleKey();
    this.simpleKeyAllowed = true;
    this.indicator('flow-entry');
  }

  private fetchBlockEntry(): void {
    // In the flow context the parser reports it: it knows what is open there.
    if (this.flowLevel === 0) {
      this.requireNewNode('block sequence entries are not allowed in this context');
      this.rollIndent(this.cursor.mark(), 'block-sequence-start');
    }
    this.removeSimpleKey();
    this.simpleKeyAllowed = true;
    this.indicator('block-entry');
  }

  private fetchKey(): void {
    if (this.flowLevel === 0) {
      this.requireNewNode('mapping keys are not allowed in this context');
      this.rollIndent(this.cursor.mark(), 'block-mapping-start');
    }
    this.removeSimpleKey();
    this.simpleKeyAllowed = this.flowLevel === 0;
    this.indicator('key');
  }

  private fetchValue(): void {
    const key = this.latestSimpleKey();
    if (this.isStillPossible(key)) {
      this.insert(key.tokenNumber, token('key', key.mark));
      this.rollIndent(key.mark, 'block-mapping-start', key.tokenNumber);
      this.forgetSimpleKey(key);
      this.simpleKeyAllowed = false;
    } else {
      if (this.flowLevel === 0) {
        this.requireNewNode('mapping values are not allowed in this context');
        this.rollIndent(this.cursor.mark(), 'block-mapping-start');
      }
      this.simpleKeyAllowed = this.flowLevel === 0;
    }
    this.indicator('value');
  }

  private requireNewNode(problem: string): void {
    if (!this.simpleKeyAllowed) this.cursor.fail(problem);
  }

  private fetchAnchor(kind: 'alias' | 'anchor'): void {
    const { cursor } = this;
    this.saveSimpleKey();
    this.simpleKeyAllowed = false;
    const mark = cursor.mark();
    cursor.at += 1;
    const start = cursor.at;
    while (isWord(cursor.code)) cursor.at += 1;
    const mayFollow = isBlankBreakOrEnd(cursor.code) || '?:,]}%@`'.includes(String.fromCharCode(cursor.code));
    if (cursor.at === start || !mayFollow) cursor.fail('did not find expected alphabetic or numeric character');
    this.push(kind, mark, cursor.text.slice(start, cursor.at));
  }

  private fetchTag(): void {
    this.saveSimpleKey();
    this.simpleKeyAllowed = false;
    const mark = this.cursor.mark();
    const { handle, suffix } = scanTag(this.cursor);
    this.push('tag', mark, handle, suffix);
  }

  private fetchBlockScalar(): void {
    this.removeSimpleKey();
    this.simpleKeyAllowed = true;
    const mark = this.cursor.mark();
    this.push('scalar', mark, scanBlockScalar(this.cursor, this.indent));
  }

  private fetchQuoted(): void {
    this.saveSimpleKey();
    this.simpleKeyAllowed = false;
    const mark = this.cursor.mark();
    this.push('scalar', mark, scanQuoted(this.cursor));
  }

  private fetchPlain(): void {
    this.saveSimpleKey();
    this.simpleKeyAllowed = false;
    const mark = this.cursor.mark();
    const { value, endsAtNewLine } = scanPlain(this.cursor, this.indent + 1, this.flowLevel > 0);
    if (endsAtNewLine) this.simpleKeyAllowed = true;
    this.tokens.push({ kind: 'scalar', line: mark.line, column: mark.column, value, suffix: '', isPlain: true });
  }

  /** A simple key must end on its line, within 1024 characters. Fails where only a key could have begun. */
  private isStillPossible(key: SimpleKey): boolean {
    if (!key.isPossible) return false;
    if (key.mark.line >= this.cursor.line && key.at + longestSimpleKey >= this.cursor.at) return true;
    this.failIfRequired(key);
    key.isPossible = false;
    return false;
  }

  private latestSimpleKey(): SimpleKey {
    return this.simpleKeys[this.simpleKeys.length - 1] as SimpleKey;
  }

  private nextTokenNumber(): number {
    return this.taken + this.tokens.length - this.head;
  }

  private saveSimpleKey(): void {
    if (!this.simpleKeyAllowed) return;
    const { cursor } = this;
    const key: SimpleKey = {
      isRequired: this.flowLevel === 0 && this.indent === cursor.column,
      tokenNumber: this.nextTokenNumber(),
      at: cursor.at,
      mark: cursor.mark(),
      isPossible: true,
    };
    this.removeSimpleKey();
    this.simpleKeys[this.simpleKeys.length - 1] = key;
    this.simpleKeysByToken.set(key.tokenNumber, key);
  }

  private removeSimpleKey(): void {
    const key = this.latestSimpleKey();
    if (!key.isPossible) return;
    this.failIfRequired(key);
    this.forgetSimpleKey(key);
  }

  private failIfRequired(key: SimpleKey): void {
    if (key.isRequired) this.cursor.fail("could not find expected ':'", key.mark);
  }

  private forgetSimpleKey(key: SimpleKey): void {
    key.isPossible = false;
    this.simpleKeysByToken.delete(key.tokenNumber);
  }

  /** Opens a block collection at a column right of the current one; its token comes before `tokenNumber`, or last. */
  private rollIndent(mark: Mark, kind: TokenKind, tokenNumber?: number): void {
    if (this.flowLevel > 0 || this.indent >= mark.column) return;
    this.indents.push(this.indent);
    this.indent = mark.column;
    if (this.indents.length > maxDepth) this.cursor.fail(`exceeded max depth of ${maxDepth}`);
    this.insert(tokenNumber ?? this.nextTokenNumber(), token(kind, mark));
  }

  private unrollIndent(column: number): void {
    if (this.flowLevel > 0) return;
    while (this.indent > column) {
      this.push('block-end', this.cursor.mark());
      this.indent = this.indents.pop() as number;
    }
  }

  private indicator(kind: TokenKind, length = 1): void {
    this.push(kind, this.cursor.mark());
    this.cursor.at += length;
  }

  private push(kind: TokenKind, mark: Mark, value = '', suffix = ''): void {
    this.tokens.push(token(kind, mark, value, suffix));
  }

  private insert(tokenNumber: number, inserted: Token): void {
    const index = this.head + tokenNumber - this.taken;
    // A key whose token was already taken is too late: what would come before it comes last.
    if (index < this.head || index === this.tokens.length) this.tokens.push(inserted);
    else this.tokens.splice(index, 0, inserted);
  }
}

const token = (kind: TokenKind, mark: Mark, value = '', suffix = ''): Token => ({
  kind,
  line: mark.line,
  column: mark.column,
  value,
  suffix,
  isPlain: false,
});
