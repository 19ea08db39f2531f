import { joinedBytes } from '../../support/bytes.ts';
import { messageOf } from '../../support/errors.ts';
import { sprintf } from '../fmt/format.ts';
import { ifReadable } from '../if-readable.ts';
import { atoi, parseFloat, unquoteRune } from '../strconv/strconv.ts';
import { decodeText, encodeText } from '../text.ts';
import { GoError, GoInt, type Value } from '../value.ts';

/** A part of a JSONPath template; a list is what is between `{` and `}`. */
export type JsonPathNode =
  | { readonly kind: 'list'; readonly nodes: readonly JsonPathNode[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'identifier'; readonly name: string }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' | 'recursive' }
  | { readonly kind: 'union'; readonly lists: readonly JsonPathList[] }
  | { readonly kind: 'slice'; readonly start: Bound; readonly end: Bound; readonly step: Bound }
  | {
      readonly kind: 'filter';
      readonly left: JsonPathList;
      readonly operator: string;
      /** Nothing, where only the left side's existence counts. */
      readonly right: JsonPathList | undefined;
    };

export type JsonPathList = Extract<JsonPathNode, { kind: 'list' }>;

/** An end of `[1:3]`; undefined where it is left out. `[2]` is `[2:3]`, with an end that was never written. */
export interface Bound {
  readonly value: number | undefined;
  readonly isDerived?: boolean;
}

/**
 * Reads a template such as `{.items[*].name}` or `{range .items[*]}{.name}{"\n"}{end}`.
 * Go: k8s.io/client-go/util/jsonpath's Parser. Throws GoError in its words.
 */
export const parseJsonPath = (template: string): JsonPathList => new Parser(template).template();

/** What is between braces already. */
function parseAction(text: string): JsonPathList {
  const [first] = parseJsonPath(`{${text}}`).nodes;
  if (first?.kind !== 'list') throw new Error(`internal: no action in ${text}`);
  return first;
}

class Parser {
  private readonly input: string;
  private at = 0;
  /** Where the token begins that is being read. */
  private start = 0;

  constructor(input: string) {
    this.input = input;
  }

  /** template := { text | "{" action "}" } */
  template(): JsonPathList {
    const nodes: JsonPathNode[] = [];
    while (this.at < this.input.length) {
      const open = this.input.indexOf('{', this.at);
      const text = this.input.slice(this.at, open === -1 ? this.input.length : open);
      if (text !== '') nodes.push({ kind: 'text', text });
      if (open === -1) break;
      this.at = open + 1;
      nodes.push(this.action());
    }
    return { kind: 'list', nodes };
  }

  private action(): JsonPathList {
    const nodes: JsonPathNode[] = [];
    for (;;) {
      this.start = this.at;
      if (this.input.startsWith('}', this.at)) {
        this.at += 1;
        return { kind: 'list', nodes };
      }
      nodes.push(...this.parts(nodes.at(-1)));
    }
  }

  /** One token as nodes: none for what only names the current object. */
  private parts(before: JsonPathNode | undefined): readonly JsonPathNode[] {
    if (this.input.startsWith('[?(', this.at)) return [this.filter()];
    if (this.input.startsWith('..', this.at)) return this.recursive(before);
    const rune = this.next();
    if (rune === '' || isEndOfLine(rune)) throw new GoError('unclosed action');
    if (rune === ' ' || rune === '@' || rune === '$') return [];
    if (rune === '[') return this.array();
    if (rune === '"' || rune === "'") return [this.quoted(rune)];
    if (rune === '.') return [this.field()];
    if (rune === '+' || rune === '-' || isDigit(rune)) return [this.number()];
    if (isAlphanumeric(rune)) return [this.identifier()];
    const character = new GoInt('int32', BigInt(rune.codePointAt(0) as number));
    throw new GoError(sprintf('unrecognized character in action: %#U', character));
  }

  private next(): string {
    const code = this.input.codePointAt(this.at);
    if (code === undefined) return '';
    const rune = String.fromCodePoint(code);
    this.at += rune.length;
    return rune;
  }

  private token(): string {
    return this.input.slice(this.start, this.at);
  }

  private identifier(): JsonPathNode {
    this.skipTo(isTerminator);
    const name = this.token();
    return name === 'true' || name === 'false'
      ? { kind: 'literal', value: name === 'true' }
      : { kind: 'identifier', name };
  }

  private skipTo(isEnd: (rune: string) => boolean): void {
    for (;;) {
      const before = this.at;
      if (!isEnd(this.next())) continue;
      this.at = before;
      return;
    }
  }

  private recursive(before: JsonPathNode | undefined): JsonPathNode[] {
    if (before?.kind === 'recursive') throw new GoError('invalid multiple recursive descent');
    this.at += '..'.length;
    this.start = this.at;
    const isName = isAlphanumeric(this.input.slice(this.at, this.at + 1));
    return isName ? [{ kind: 'recursive' }, this.fieldName()] : [{ kind: 'recursive' }];
  }

  private number(): JsonPathNode {
    this.skipTo((rune) => rune !== '.' && !isDigit(rune));
    const text = this.token();
    const value = ifReadable(() => new GoInt('int', atoi(text))) ?? ifReadable(() => parseFloat(text));
    if (value === undefined) throw new GoError(`cannot parse number ${text}`);
    return { kind: 'literal', value };
  }

  private quoted(end: '"' | "'"): JsonPathNode {
    for (;;) {
      const rune = this.next();
      if (rune === '' || rune === '\n') throw new GoError('unterminated quoted string');
      if (rune === end && this.input[this.at - 2] !== '\\') break;
    }
    const quoted = this.token();
    return { kind: 'text', text: unquoted(quoted, end) };
  }

  private field(): JsonPathNode {
    this.start = this.at;
    return this.fieldName();
  }

  /** Up to a terminator; a backslash takes the next character as it is. */
  private fieldName(): JsonPathNode {
    this.skipTo((rune) => {
      if (rune === '\\') this.next();
      return isTerminator(rune);
    });
    const name = this.token();
    return name === '*' ? { kind: 'wildcard' } : { kind: 'field', name: name.replaceAll('\\', '') };
  }

  /** `[0]`, `[1:3]`, `[*]`, `['name']`, and several of them with commas. */
  private array(): readonly JsonPathNode[] {
    for (;;) {
      const rune = this.next();
      if (rune === '' || rune === '\n') throw new GoError('unterminated array');
      if (rune === ']') break;
    }
    const inner = this.token().slice(1, -1);
    const text = inner === '*' ? ':' : inner;
    const parts = text.split(',');
    if (parts.length > 1) {
      return [{ kind: 'union', lists: parts.map((part) => parseAction(`[${part.replace(/^ +|(?<! ) +$/g, '')}]`)) }];
    }
    const key = /^'([^']*)'$/.exec(text)?.[1];
    return key === undefined ? [slice(text)] : parseAction(`.${key}`).nodes;
  }

  /** `[?(@.name=="x")]`, or `[?(@.name)]` for what has it. */
  private filter(): JsonPathNode {
    this.at += '[?('.length;
    this.start = this.at;
    this.skipFilter();
    if (this.next() !== ']') throw new GoError('unclosed array expect ]');
    const text = this.token().slice(0, -')]'.length);
    const [, left, operator = '', right = ''] = /^([^!<>=]+)([!<>=]+)([^\n]+)$/.exec(text) ?? [];
    if (left === undefined) return { kind: 'filter', left: parseAction(text), operator: 'exists', right: undefined };
    return { kind: 'filter', left: parseAction(left), operator, right: parseAction(right) };
  }

  /** Up to the parenthesis that closes the filter; one inside quotes does not. */
  private skipFilter(): void {
    let quote = '';
    let isClosed = false;
    for (;;) {
      const rune = this.next();
      if (rune === '' || rune === '\n') throw new GoError('unterminated filter');
      if (rune === '"' || rune === "'") {
        if (quote === '') quote = rune;
        else if (this.input[this.at - 2] !== '\\' && rune === quote) isClosed = true;
      } else if (rune === ')' && (quote === '') === !isClosed) {
        return;
      }
    }
  }
}

/** `1`, `1:3`, `::2`. */
function slice(text: string): JsonPathNode {
  const parts = /^(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?$/.exec(text);
  if (parts === null) throw new GoError(`invalid array index ${text}`);
  const [, first = '', second, third] = parts;
  const start = bound(first);
  const end =
    second === undefined || second === '' ? { value: (start.value ?? 0) + 1, isDerived: true } : bound(second.slice(1));
  return { kind: 'slice', start, end, step: bound((third ?? '').slice(1)) };
}

function bound(text: string): Bound {
  if (text === '') return { value: undefined };
  const value = ifReadable(() => Number(atoi(text)));
  if (value === undefined) throw new GoError(`array index ${text} is not a number`);
  return { value };
}

/** Text in single or double quotes, with Go's escapes (UnquoteExtend). */
function unquoted(quoted: string, mark: '"' | "'"): string {
  const inner = quoted.slice(1, -1);
  if (!inner.includes('\\') && !inner.includes(mark)) return inner;
  const bytes: Uint8Array[] = [];
  try {
    for (let at = 0; at < inner.length; ) {
      const { rune, isByte, next } = unquoteRune(inner, at, mark);
      bytes.push(isByte ? Uint8Array.of(rune) : encodeText(String.fromCodePoint(rune)));
      at = next;
    }
  } catch (cause) {
    throw new GoError(`unquote string ${quoted} error ${messageOf(cause)}`, { cause });
  }
  return decodeText(joinedBytes(bytes));
}

const isEndOfLine = (rune: string): boolean => rune === '\r' || rune === '\n';
const isTerminator = (rune: string): boolean => rune === '' || /^[ \t\r\n.,[\]$@{}]$/.test(rune);
const isDigit = (rune: string): boolean => /^\p{Nd}$/u.test(rune);
const isAlphanumeric = (rune: string): boolean => /^[_\p{L}\p{Nd}]$/u.test(rune);
