import { type AnswerHead, type AnswerHeaders, headersByName, malformed } from '../wire.ts';

/** The head of an answer (RFC 9112 §4 and §5), with what it says of the connection. */
export interface ParsedHead extends AnswerHead {
  /** How the body is delimited. */
  readonly framing: Framing;
  /** Whether the server lets the connection serve another request. */
  readonly isKept: boolean;
}

/** RFC 9112 §6.3. */
export type Framing =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' };

/** Fails for what is no HTTP/1 answer, in the words of Go's net/http. `text` ends before the empty line; it is Latin-1. */
export function parseHead(text: string): ParsedHead {
  const statusEnd = endOfLine(text, 0);
  const [, minor, code] = statusLine.exec(text.slice(0, statusEnd)) ?? [];
  if (code === undefined) throw malformed(`malformed HTTP response ${quoted(text.slice(0, statusEnd))}`);
  const rawHeaders = parseFields(text, statusEnd + 2);
  const headers = headersByName(rawHeaders);
  const status = Number(code);
  const framing = framingOf(status, minor === '0', headers);
  return { status, headers, rawHeaders, framing, isKept: isKept(minor === '0', framing, headers) };
}

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;

/** `field-line CRLF` again and again, the last one without its end. A line that is folded is put together (§5.2). */
export function parseFields(text: string, from: number): string[] {
  const fields: string[] = [];
  for (let start = from; start < text.length; ) {
    const end = endOfLine(text, start);
    const line = text.slice(start, end);
    start = end + 2;
    if ((line.startsWith(' ') || line.startsWith('\t')) && fields.length > 0) {
      fields[fields.length - 1] = `${fields.at(-1)} ${valueOf(line, 0)}`;
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    if (!token.test(name)) throw malformed(`malformed MIME header line: ${quoted(line)}`);
    fields.push(name, valueOf(line, colon + 1));
  }
  return fields;
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\0-\x08\x0a-\x1f\x7f]/;

/** Without the white space around it. */
function valueOf(line: string, from: number): string {
  if (control.test(line)) throw malformed(`invalid header field value: ${quoted(line)}`);
  let start = from;
  let end = line.length;
  while (start < end && isBlank(line, start)) start += 1;
  while (start < end && isBlank(line, end - 1)) end -= 1;
  return line.slice(start, end);
}

const isBlank = (line: string, at: number): boolean => line.charCodeAt(at) === 32 || line.charCodeAt(at) === 9;

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\r\n', from);
  return end < 0 ? text.length : end;
}

/** Where both lengths are given, the chunks count (§6.3), and the connection serves no other request. */
function framingOf(status: number, isOld: boolean, headers: AnswerHeaders): Framing {
  const encoding = headers['transfer-encoding'];
  const lengths = headers['content-length'];
  if (encoding !== undefined && (isOld || encoding.toLowerCase() !== 'chunked')) {
    throw malformed(`unsupported transfer encoding: ${quoted(encoding)}`);
  }
  const bytes = lengths === undefined || encoding !== undefined ? undefined : lengthOf(lengths);
  if (status < 200 || status === 204 || status === 304) return { kind: 'length', bytes: 0 };
  if (encoding !== undefined) return { kind: 'chunked' };
  return bytes === undefined ? { kind: 'until-close' } : { kind: 'length', bytes };
}

function lengthOf(values: string): number {
  const [first = '', ...others] = values.split(',').map((value) => value.trim());
  const bytes = Number(first);
  if (!/^\d+$/.test(first) || !Number.isSafeInteger(bytes) || others.some((other) => other !== first)) {
    throw malformed(`bad Content-Length ${quoted(values)}`);
  }
  return bytes;
}

function isKept(isOld: boolean, framing: Framing, headers: AnswerHeaders): boolean {
  const { connection = '' } = headers;
  const isTwofold = framing.kind === 'chunked' && headers['content-length'] !== undefined;
  if (framing.kind === 'until-close' || isTwofold) return false;
  const options = connection.toLowerCase().split(/[ \t]*,[ \t]*/);
  return isOld ? options.includes('keep-alive') : !options.includes('close');
}

export const quoted = (text: string): string => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
