/**
 * The JSON of a release without what tables show nothing of: its files, values, manifest and hooks, which are nearly all
 * of it, are passed over in the bytes and never become text. Undefined where it is no JSON that Helm writes.
 */
export function briefJson(bytes: Buffer): unknown {
  try {
    const found = pick(bytes, skipSpace(bytes, 0), wanted);
    return found.value;
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Which members are read, and of which of them only some. */
interface Wanted {
  readonly [key: string]: true | Wanted;
}

const wanted: Wanted = {
  name: true,
  namespace: true,
  version: true,
  apply_method: true,
  info: {
    first_deployed: true,
    last_deployed: true,
    deleted: true,
    description: true,
    status: true,
    rollback_revision: true,
  },
  chart: { metadata: true },
};

function pick(bytes: Buffer, start: number, members: Wanted): { readonly value: object; readonly end: number } {
  if (bytes[start] !== brace) throw new RangeError('no object');
  const picked: Record<string, unknown> = {};
  let at = skipSpace(bytes, start + 1);
  while (bytes[at] !== closingBrace) {
    const keyEnd = skipValue(bytes, at);
    const key = JSON.parse(bytes.toString('utf8', at, keyEnd)) as string;
    const valueStart = skipSpace(bytes, skipSpace(bytes, keyEnd) + 1);
    const rule = Object.hasOwn(members, key) ? members[key] : undefined;
    if (typeof rule === 'object' && bytes[valueStart] === brace) {
      const inner = pick(bytes, valueStart, rule);
      picked[key] = inner.value;
      at = inner.end;
    } else {
      at = skipValue(bytes, valueStart);
      if (rule !== undefined) picked[key] = JSON.parse(bytes.toString('utf8', valueStart, at));
    }
    at = skipSpace(bytes, at);
    if (bytes[at] === comma) at = skipSpace(bytes, at + 1);
    else if (bytes[at] !== closingBrace) throw new RangeError('an object that does not end');
  }
  return { value: picked, end: at + 1 };
}

const brace = 0x7b;
const closingBrace = 0x7d;
const comma = 0x2c;
const quote = 0x22;
const backslash = 0x5c;

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at += 1;
  return at;
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

function skipValue(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === quote) return skipText(bytes, start);
  if (first !== brace && first !== 0x5b) return skipPlain(bytes, start);
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = skipText(bytes, at) - 1;
    else if (byte === brace || byte === 0x5b) depth += 1;
    else if (byte === closingBrace || byte === 0x5d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw new RangeError('a value that does not end');
}

function skipText(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(quote, start + 1); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let before = at - 1;
    while (bytes[before] === backslash) before -= 1;
    if ((at - before) % 2 === 1) return at + 1;
  }
  throw new RangeError('a string that does not end');
}

/** A number, true, false or null. */
function skipPlain(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && !/[\s,}\]]/.test(String.fromCharCode(bytes[at] as number))) at += 1;
  if (at === start) throw new RangeError('no value');
  return at;
}
