import { hidden } from './known-words.ts';
import { withoutSecretForms } from './secret-forms.ts';
import { describesSecret, isReference, isSecretName, isSecretNameOfRandomText } from './secret-names.ts';
import { indentOf, isDigits, isListItem } from './text.ts';

export interface TextKind {
  /** A file or a manifest: what follows `password:` is a value there, and a sentence in a message. */
  readonly isDocument?: boolean | undefined;
  /** The manifest of a Secret: all of its data is secret. */
  readonly isSecret?: boolean | undefined;
}

/**
 * The text without what its names and its forms say to be secret: `PASSWORD=x`, `"token": "x"`, `password: x` and the block
 * below it, `{name: DB_PASSWORD, value: x}`, `--db-pass x`, and what withoutSecretForms knows. Each line stays a line, and a
 * text that is masked already stays as it is. The time grows with the length.
 */
export function maskText(text: string, kind: TextKind = {}): string {
  const rest = withoutSecretForms(text);
  const mask = new LineMask(kind);
  let isSame = true;
  const lines = rest.split('\n').map((line) => {
    const shown = mask.line(line);
    isSame &&= shown === line;
    return shown;
  });
  return isSame ? rest : lines.join('\n');
}

/** Whether a value under this name is a secret. */
export function isSecretValue(name: string, value: string): boolean {
  if (value === '') return false;
  if (isSecretName(name)) return !isReference(value) && !(/s$/i.test(name) && isDigits(value));
  return value.length <= longestRandom && randomText.test(value) && isSecretNameOfRandomText(name);
}

/** So many letters and digits that no word can be read in them. */
const randomText = /^(?=[A-Za-z+/=]*\d)(?=[\d+/=]*[A-Za-z])[A-Za-z0-9+/=]{20,}$/;

const longestRandom = 500;

/** `  - "key": `; what comes before the value, and the key. */
const lineKey = /^([ \t+-]*)["']?([\w.][\w./-]*)["']?[ \t]*(?::(?=[ \t\r"'[{|>]|$)|=(?=[ \t]))[ \t]*/;
const listItem = /^([ \t]*-[ \t]+)(["']?)/;
const flagItem = /^[ \t]*(?:-[ \t]+["']?|["'])(--?[A-Za-z][\w.-]*)["']?,?[ \t\r]*$/;
/** A text of a list in JSON, as the API server shows what may not change: `-    "secret",` and `+    "secret",`. */
const quotedItem = /^([ \t]*(?:([-+])[ \t]*)?")([^"]*)(",?[ \t\r]*)$/;
const blockHead = /^[|>][-+\d]*[ \t\r]*(?:#.*)?$/;

class LineMask {
  readonly #kind: TextKind;
  /** The indent of the key whose text over several lines is being masked. */
  #block: number | undefined;
  /** The key of a secret's name below which members stand, and how far right they stand. */
  #holder: { readonly indent: number; readonly all: boolean; member?: { indent: number; isItem: boolean } } | undefined;
  /** What the last `name:` names. */
  #name = '';
  /** Whether the last item of a list was a flag such as `--password`. */
  #isAfterFlag = false;
  /** Whether the last lines were what `+` replaces. */
  #isAfterRemoved = false;

  constructor(kind: TextKind) {
    this.#kind = kind;
  }

  line(line: string): string {
    if (this.#kind.isDocument) {
      const shown = this.#inBlock(line);
      if (shown !== undefined) return shown;
    }
    const match = line.includes(':') || line.includes('=') ? lineKey.exec(line) : null;
    return match === null ? this.#withoutKey(line) : this.#withKey(line, match);
  }

  #inBlock(line: string): string | undefined {
    if (this.#block === undefined && this.#holder === undefined) return undefined;
    const indent = indentOf(line);
    if (indent === -1) return line;
    if (this.#block !== undefined && indent > this.#block) return maskedRest(line, indent);
    this.#block = undefined;
    const holder = this.#holder;
    if (holder === undefined) return undefined;
    if (indent < holder.indent || (indent === holder.indent && !isListItem(line))) {
      this.#holder = undefined;
      return undefined;
    }
    holder.member ??= { indent, isItem: isListItem(line) };
    return undefined;
  }

  #withoutKey(line: string): string {
    const isAfterFlag = this.#isAfterFlag;
    const flag = line.includes('--') ? flagItem.exec(line)?.[1] : undefined;
    this.#isAfterFlag = flag !== undefined && isSecretName(flag);
    const isChanged = this.#isAfterRemoved;
    this.#isAfterRemoved = isChanged && /^[ \t]*-/.test(line);
    const [, before = '', sign, text = '', after = ''] = ((isAfterFlag || isChanged) && quotedItem.exec(line)) || [];
    if (text !== '' && !text.startsWith('-') && !isReference(text) && (!isChanged || sign === '+')) {
      this.#isAfterRemoved = sign === '-';
      return `${before}${hidden}${after}`;
    }
    const { indent, isItem = false } = this.#holder?.member ?? {};
    if (this.#kind.isDocument && (isAfterFlag || (isItem && indent === indentOf(line)))) {
      const [head, , quote = ''] = listItem.exec(line) ?? [];
      const rest = line.slice(head?.length ?? line.length).trimEnd();
      const value = rest.endsWith(quote) ? rest.slice(0, rest.length - quote.length) : rest;
      if (value !== '' && !/^[-[{&*!#]/.test(value) && !isReference(value)) return `${head}${hidden}${quote}`;
    }
    return maskInline(line, 0, this.#state());
  }

  #withKey(line: string, [whole, lead = '', key = '']: RegExpExecArray): string {
    this.#isAfterFlag = false;
    const value = line.slice(whole.length).trimEnd();
    const name = this.#name;
    const isValue = /^value$/i.test(key);
    // A changed value has two lines.
    this.#name = /^name$/i.test(key) ? unquoted(value) : isValue && lead.includes('-') ? name : '';
    const { isDocument, isSecret } = this.#kind;
    const indent = lead.length;
    if (isSecret && indent === 0 && ['data', 'stringData'].includes(key)) this.#holder = { indent, all: true };
    const isMember = this.#isMember(key, indent);
    const named = isValue && name !== '' ? name : key;
    const isSure = isMember || isSecretName(named);
    if (!isSure && !isSecretNameOfRandomText(named)) return maskInline(line, 0, this.#state(name));
    if (value === '' || value.startsWith('#')) {
      if (isDocument && isSecretName(key)) this.#holder = { indent, all: false };
      return line;
    }
    if (isDocument && isSure && blockHead.test(value)) {
      this.#block = indent;
      return line;
    }
    return this.#withoutValue(line, whole.length, { name: named, value, isMember });
  }

  /** Whether the key is that of a member of a secret. */
  #isMember(key: string, indent: number): boolean {
    const holder = this.#holder;
    return holder?.member?.indent === indent && (holder.all || !describesSecret(key));
  }

  #withoutValue(line: string, start: number, { name, value, isMember }: LineValue): string {
    const inline = (): string => maskInline(line, 0, this.#state());
    if (/^[[{&*!]/.test(value)) return maskInline(line, 0, this.#state(), isSecretName(name));
    const quote = /^["']/.exec(value)?.[0] ?? '';
    const end = quote === '' ? plainEnd(value) : (valueEndOf(line, start) ?? line.length) - start;
    const plain = quote === '' ? value.slice(0, end) : value.slice(1, end - 1);
    const isSecret = isMember ? plain !== '' && !isReference(plain) : isSecretValue(name, plain);
    if (!isSecret || (!this.#kind.isDocument && quote === '' && isProse(plain))) return inline();
    const tail = line.slice(start + end);
    return `${line.slice(0, start)}${quote}${hidden}${quote}${maskInline(tail, 0, this.#state())}`;
  }

  #state(name = this.#name): InlineState {
    return { name, isDocument: this.#kind.isDocument === true };
  }
}

interface LineValue {
  /** What the value is called by: its key, or the `name:` before `value:`. */
  readonly name: string;
  readonly value: string;
  readonly isMember: boolean;
}

/** A line of a block; what a template computes says nothing, and stays. */
const maskedRest = (line: string, indent: number): string =>
  line.includes('{{') || isReference(line.slice(indent).trimEnd()) ? line : `${line.slice(0, indent)}${hidden}`;

/** Where a value without quotes ends: before a comment, and before what closes it. */
function plainEnd(value: string): number {
  const comment = value.search(/[ \t]#/);
  const plain = (comment === -1 ? value : value.slice(0, comment)).trimEnd();
  return plain.endsWith(',') ? plain.length - 1 : plain.length;
}

const unquoted = (value: string): string => value.replace(/^["']|["'],?$/g, '');

/** What a message says behind `token:`. */
const isProse = (text: string): boolean =>
  /\s/.test(text) ||
  /^(?:required|missing|invalid|expired|empty|unset|unknown|wrong|rejected|denied|ok|failed|error|accepted|incorrect|mismatch|mismatched|unauthorized|forbidden|unsupported|string|set|given|given)[.!,;]?$/i.test(
    text,
  );

interface InlineState {
  /** What a `name:` before names. */
  name: string;
  readonly isDocument: boolean;
}

/** Assignments and flags within a line. `isHolder`: braces in it hold members of a secret. */
function maskInline(line: string, from: number, state: InlineState, isHolder = false): string {
  const pieces: string[] = [];
  let last = 0;
  let brace = false;
  let runEnd = 0;
  const hide = (start: number, end: number): void => {
    const mark = markAt(line, start);
    pieces.push(line.slice(last, start + mark.length), hidden, mark);
    last = end;
  };
  for (let at = from; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === openBrace) brace = true;
    if (code !== equalsSign && code !== colon && code !== dash) continue;
    const found = code === dash ? flagAt(line, at, last) : assignmentAt(line, at, { least: last, brace });
    if (found === undefined) continue;
    const { name, start, isBehindSpace } = found;
    // Of `a=b=c`, where the one value ends is known from the other.
    const mark = markAt(line, start);
    const end = mark === '' && start < runEnd ? runEnd : valueEndOf(line, start);
    if (end === undefined) {
      at = Math.max(at, start - 1);
      continue;
    }
    if (mark === '') runEnd = end;
    const value = line.slice(start + mark.length, end - mark.length);
    if (!isComputed(line, start, end) && isHiddenValue(value, { name, state, isHolder, isBehindSpace })) {
      hide(start, end);
      at = end - 1;
    } else at = Math.max(at, start - 1 + mark.length);
    const member = name.toLowerCase();
    if (member === 'name') state.name = value;
    else if (member === 'value') state.name = '';
  }
  return last === 0 ? line : pieces.join('') + line.slice(last);
}

/** `${X}`, `a$(x)`, `<your password>`: braces and spaces end a value without quotes. */
const isComputed = (line: string, start: number, end: number): boolean =>
  (line.charAt(end - 1) === '$' && /[({]/.test(line.charAt(end))) ||
  (line.charAt(start) === '<' && /^<[^<>]{1,100}>/.test(line.slice(start, start + 102)));

interface Assigned {
  readonly name: string;
  readonly state: InlineState;
  readonly isHolder: boolean;
  readonly isBehindSpace: boolean;
}

function isHiddenValue(value: string, { name, state, isHolder, isBehindSpace }: Assigned): boolean {
  if (isBehindSpace && !state.isDocument && isProse(value)) return false;
  if (isBehindSpace && (value.startsWith('-') || flagProse.test(value) || isMetavariable(value))) return false;
  if (name.toLowerCase() === 'value' && state.name !== '') return isSecretValue(state.name, value);
  if (isHolder && !describesSecret(name)) return value !== '' && !isReference(value);
  return isSecretValue(name, value);
}

/** `--password is required`, `--token string` of a help text, `--password PASSWORD`. */
const flagProse =
  /^(?:is|are|to|or|and|flags?|options?|can|cannot|must|may|was|were|has|have|for|with|without|if|in|on|of|not|requires?|needs|as|by|when|instead|should|will|would|does|takes|sets|from|the|a|an|string|int|file|strings|stringArray|value|path|token|password|secret|key|arg|argument|parameter)[.,;:)]?$/i;
const isMetavariable = (value: string): boolean => /^[A-Z][A-Z_-]*$/.test(value) && isSecretName(value);

interface Found {
  readonly name: string;
  /** Where the value begins. */
  readonly start: number;
  /** Behind a flag and a space. */
  readonly isBehindSpace: boolean;
}

/** `--name value`; `--name=value` is an assignment. */
function flagAt(line: string, at: number, least: number): Found | undefined {
  if (line.charCodeAt(at + 1) !== dash || (at > least && isNameCode(line.charCodeAt(at - 1)))) return undefined;
  let end = at + 2;
  while (end < line.length && isNameCode(line.charCodeAt(end))) end += 1;
  if (end === at + 2) return undefined;
  flagGap.lastIndex = end;
  if (!flagGap.test(line)) return undefined;
  return { name: line.slice(at, end), start: flagGap.lastIndex, isBehindSpace: true };
}

/** Between a flag and its value: a space, or in a list of quoted texts the end of one and the beginning of the next. */
const flagGap = /[ \t]+|["'],[ \t]{0,20}(?=["'])|,[ \t]{1,20}/y;

function assignmentAt(
  line: string,
  at: number,
  { least, brace }: { readonly least: number; readonly brace: boolean },
): Found | undefined {
  const isColon = line.charCodeAt(at) === colon;
  const next = line.charAt(at + 1);
  if (isColon ? next === '=' || next === '/' : next === '=' || next === '~' || /[!<>=]/.test(line.charAt(at - 1)))
    return undefined;
  let end = isColon || line.charCodeAt(at - 1) !== colon ? at : at - 1;
  const withSpace = end;
  while (end > least && isSpace(line.charCodeAt(end - 1))) end -= 1;
  const quote = end > least ? /["']/.exec(line.charAt(end - 1))?.[0] : undefined;
  if (quote !== undefined) end -= line.charAt(end - 2) === '\\' ? 2 : 1;
  let begin = end;
  while (begin > least && isNameCode(line.charCodeAt(begin - 1))) begin -= 1;
  if (begin === end) return undefined;
  if (quote !== undefined && line.charAt(begin - 1) !== quote) return undefined;
  const isMember = brace && quote === undefined && /[\s"'\\]/.test(next) && isFirstOfMember(line, begin, least);
  if (isColon && quote === undefined && !isMember && !isHeader(line, begin, next)) return undefined;
  const isArrow = !isColon && next === '>';
  const mayHaveSpace = isColon || isArrow || withSpace !== end;
  const start = mayHaveSpace ? pastSpaces(line, at + (isArrow ? 2 : 1)) : at + 1;
  // `"My_Pass": must be …` is a sentence about a value.
  if (isColon && quote !== undefined && !brace && markAt(line, start) === '') return undefined;
  // Without quotes, what Go and templates assign is an expression.
  if (line.charCodeAt(at - 1) === colon && markAt(line, start) === '') return undefined;
  return { name: line.slice(begin, end), start, isBehindSpace: false };
}

/** `{a: x, b: y}` */
function isFirstOfMember(line: string, begin: number, least: number): boolean {
  let at = begin;
  while (at > least && isSpace(line.charCodeAt(at - 1))) at -= 1;
  return at === least || /[{,]/.test(line.charAt(at - 1));
}

/** `"X-Api-Key: x"` */
const isHeader = (line: string, begin: number, next: string): boolean =>
  next === ' ' && /["']/.test(line.charAt(begin - 1));

const equalsSign = 0x3d;
const colon = 0x3a;
const dash = 0x2d;
const openBrace = 0x7b;

function pastSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** The quote that a value begins with, with the backslash of a quoted quote. */
const markAt = (text: string, start: number): string => {
  const first = text.charAt(start);
  if (first === '"' || first === "'") return first;
  return first === '\\' && text.charAt(start + 1) === '"' ? '\\"' : '';
};

const quotedValue = /"(?:[^"\\]|\\.)*"|'[^']*'/y;

function valueEndOf(text: string, start: number): number | undefined {
  const mark = markAt(text, start);
  if (mark === '\\"') {
    const end = text.indexOf(mark, start + 2);
    return end === -1 ? undefined : end + 2;
  }
  if (mark !== '') {
    quotedValue.lastIndex = start;
    return quotedValue.test(text) ? quotedValue.lastIndex : undefined;
  }
  let at = start;
  while (at < text.length && !endsValue(text.charCodeAt(at))) at += 1;
  if (at > start && text.charCodeAt(at - 1) === colon) at -= 1;
  return at === start ? undefined : at;
}

/** `\s` of regular expressions. */
const isSpace = (code: number): boolean =>
  code === 0x20 || (code >= 9 && code <= 13) || (code >= 0xa0 && /\s/.test(String.fromCharCode(code)));

const nameCodes = codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-');
const isNameCode = (code: number): boolean => code < 128 && nameCodes[code] === 1;

const endCodes = codesOf('"\'`{}[],;&)');
const endsValue = (code: number): boolean => (code < 128 && endCodes[code] === 1) || isSpace(code);

function codesOf(characters: string): Uint8Array {
  const codes = new Uint8Array(128);
  for (const character of characters) codes[character.charCodeAt(0)] = 1;
  return codes;
}
