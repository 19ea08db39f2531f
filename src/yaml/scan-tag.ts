import { codeOf, hexDigit, isBlank, isBlankBreakOrEnd, isBreakOrEnd, isDigit, isWord } from './chars.ts';
import type { Cursor } from './cursor.ts';

export interface ScannedTag {
  /** `!`, `!!`, `!name!`, or '' where the suffix is the whole tag. */
  readonly handle: string;
  readonly suffix: string;
}

/** `!<uri>`, `!suffix` or `!handle!suffix`; the cursor is on the exclamation mark. */
export function scanTag(cursor: Cursor): ScannedTag {
  const tag = cursor.codeAt(1) === codeOf('<') ? scanVerbatimTag(cursor) : scanShorthandTag(cursor);
  if (!isBlankBreakOrEnd(cursor.code)) cursor.fail('did not find expected whitespace or line break');
  return tag;
}

function scanVerbatimTag(cursor: Cursor): ScannedTag {
  cursor.at += 2;
  const suffix = scanUri(cursor, '');
  if (cursor.code !== codeOf('>')) cursor.fail("did not find the expected '>'");
  cursor.at += 1;
  return { handle: '', suffix };
}

function scanShorthandTag(cursor: Cursor): ScannedTag {
  const handle = scanHandle(cursor, false);
  if (handle.length > 1 && handle.endsWith('!')) return { handle, suffix: scanUri(cursor, '') };
  const suffix = scanUri(cursor, handle);
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
}

function scanHandle(cursor: Cursor, isDirective: boolean): string {
  if (cursor.code !== codeOf('!')) cursor.fail("did not find expected '!'");
  const start = cursor.at;
  cursor.at += 1;
  while (isWord(cursor.code)) cursor.at += 1;
  if (cursor.code === codeOf('!')) cursor.at += 1;
  else if (isDirective && cursor.at > start + 1) cursor.fail("did not find expected '!'");
  return cursor.text.slice(start, cursor.at);
}

const uriPunctuation = new Set([...";/?:@&=+$,.!~*'()[]"].map(codeOf));

/** The URI characters here; `head` is what was already read as a handle and turned out to be none. */
function scanUri(cursor: Cursor, head: string): string {
  let uri = head.slice(1);
  let isEmpty = head === '';
  for (;;) {
    const { code } = cursor;
    if (code === codeOf('%')) {
      uri += scanUriEscapes(cursor);
    } else if (isWord(code) || uriPunctuation.has(code)) {
      uri += String.fromCharCode(code);
      cursor.at += 1;
    } else {
      break;
    }
    isEmpty = false;
  }
  if (isEmpty) cursor.fail('did not find expected tag URI');
  return uri;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** One character, as the percent-escaped bytes of its UTF-8 form. */
function scanUriEscapes(cursor: Cursor): string {
  const bytes: number[] = [scanUriByte(cursor)];
  const length = utf8Length(bytes[0] as number);
  if (length === 0) cursor.fail('found an incorrect leading UTF-8 octet');
  while (bytes.length < length) {
    const byte = scanUriByte(cursor);
    if ((byte & 0xc0) !== 0x80) cursor.fail('found an incorrect trailing UTF-8 octet');
    bytes.push(byte);
  }
  return decoder.decode(Uint8Array.from(bytes));
}

function scanUriByte(cursor: Cursor): number {
  const high = hexDigit(cursor.codeAt(1));
  const low = hexDigit(cursor.codeAt(2));
  if (cursor.code !== codeOf('%') || high < 0 || low < 0) cursor.fail('did not find URI escaped octet');
  cursor.at += 3;
  return high * 16 + low;
}

function utf8Length(first: number): number {
  if (first < 0x80) return 1;
  if ((first & 0xe0) === 0xc0) return 2;
  if ((first & 0xf0) === 0xe0) return 3;
  return (first & 0xf8) === 0xf0 ? 4 : 0;
}

export type ScannedDirective =
  | { readonly kind: 'version-directive'; readonly value: string; readonly suffix: '' }
  | { readonly kind: 'tag-directive'; readonly value: string; readonly suffix: string };

/** A `%YAML` or `%TAG` line; the cursor is on the percent sign. */
export function scanDirective(cursor: Cursor): ScannedDirective {
  cursor.at += 1;
  const directive = scanDirectiveValue(cursor, scanDirectiveName(cursor));
  skipBlanks(cursor);
  if (cursor.code === codeOf('#')) while (!isBreakOrEnd(cursor.code)) cursor.at += 1;
  if (!isBreakOrEnd(cursor.code)) cursor.fail('did not find expected comment or line break');
  cursor.skipLine();
  return directive;
}

function scanDirectiveName(cursor: Cursor): string {
  const start = cursor.at;
  while (isWord(cursor.code)) cursor.at += 1;
  if (cursor.at === start) cursor.fail('could not find expected directive name');
  if (!isBlankBreakOrEnd(cursor.code)) cursor.fail('found unexpected non-alphabetical character');
  return cursor.text.slice(start, cursor.at);
}

function scanDirectiveValue(cursor: Cursor, name: string): ScannedDirective {
  switch (name) {
    case 'YAML':
      return { kind: 'version-directive', value: scanVersion(cursor), suffix: '' };
    case 'TAG':
      return scanTagDirective(cursor);
    default:
      return cursor.fail('found unknown directive name');
  }
}

function scanVersion(cursor: Cursor): string {
  skipBlanks(cursor);
  const major = scanVersionNumber(cursor);
  if (cursor.code !== codeOf('.')) cursor.fail("did not find expected digit or '.' character");
  cursor.at += 1;
  return `${major}.${scanVersionNumber(cursor)}`;
}

function scanVersionNumber(cursor: Cursor): number {
  let number = 0;
  let length = 0;
  while (isDigit(cursor.code)) {
    length += 1;
    if (length > 2) cursor.fail('found extremely long version number');
    number = number * 10 + cursor.code - codeOf('0');
    cursor.at += 1;
  }
  if (length === 0) cursor.fail('did not find expected version number');
  return number;
}

function scanTagDirective(cursor: Cursor): ScannedDirective {
  skipBlanks(cursor);
  const value = scanHandle(cursor, true);
  if (!isBlank(cursor.code)) cursor.fail('did not find expected whitespace');
  skipBlanks(cursor);
  const suffix = scanUri(cursor, '');
  if (!isBlankBreakOrEnd(cursor.code)) cursor.fail('did not find expected whitespace or line break');
  return { kind: 'tag-directive', value, suffix };
}

function skipBlanks(cursor: Cursor): void {
  while (isBlank(cursor.code)) cursor.at += 1;
}
