import { unreachable } from '../../support/errors.ts';
import { compareText } from '../../support/order.ts';
import { GoComplex } from '../complex.ts';
import { checkTextLength, VisitCount } from '../limits.ts';
import { type FloatFormat, formatFloat } from '../strconv/format-float.ts';
import { canBackquote, quote, quoteRune, quoteRuneToASCII, quoteToASCII } from '../strconv/strconv.ts';
import { decodeText, encodeText } from '../text.ts';
import { isPrint } from '../unicode.ts';
import {
  GoInt,
  type GoList,
  type GoMap,
  GoObject,
  goTypeOf,
  isGoFunction,
  isNil,
  isNilList,
  isNilMap,
  type Value,
} from '../value.ts';
import { type Directive, DirectiveReader } from './directive.ts';

/** fmt.Sprintf: a wrong verb, a missing or an extra argument shows in the text, as in Go. */
export function sprintf(format: string, ...values: readonly Value[]): string {
  return new Printer().printf(format, values);
}

/** fmt.Sprint: a space goes between two values of which neither is a string. */
export function sprint(...values: readonly Value[]): string {
  return values.length === 1 ? formatValue(values[0]) : new Printer().print(values);
}

/** fmt.Sprintln: a space between all values, and a newline at the end. */
export function sprintln(...values: readonly Value[]): string {
  return `${values.map(formatValue).join(' ')}\n`;
}

/** The text of one value as `%v` prints it. */
export function formatValue(value: Value): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      return formatFloat(value, 'g', -1);
    default:
      return value instanceof GoInt ? value.value.toString() : new Printer().print([value]);
  }
}

/** What a Go pointer looks like where Go prints an address: ours has none, and output must not change between runs. */
const address = 0xc000000000n;
class Printer {
  private out = '';
  private readonly visits = new VisitCount();
  private width = -1;
  private precision = -1;
  private minus = false;
  private plus = false;
  private sharp = false;
  private space = false;
  private zero = false;
  /** `%+v`: structs with field names. */
  private plusV = false;
  /** `%#v`: Go syntax. */
  private sharpV = false;
  /** Inside the text of a wrong verb no String method is called. */
  private erroring = false;
  /** The named string or number whose content is being printed. */
  private named: GoObject | undefined;

  print(values: readonly Value[]): string {
    let previousIsString = true;
    values.forEach((value, index) => {
      const isString = typeof value === 'string' || (value instanceof GoObject && value.goKind === 'string');
      if (index > 0 && !isString && !previousIsString) this.out += ' ';
      this.argument(value, 'v');
      previousIsString = isString;
    });
    return this.out;
  }

  printf(format: string, values: readonly Value[]): string {
    const reader = new DirectiveReader(format, values);
    for (;;) {
      this.out += reader.textBefore();
      const directive = reader.next();
      if (directive === undefined) break;
      this.take(directive);
      this.directive(directive);
    }
    if (reader.unused.length > 0) this.extraArguments(reader.unused);
    return this.out;
  }

  private take({ flags, width, precision }: Directive): void {
    this.clearFlags();
    for (const flag of flags) this.flag(flag);
    if (width === 'bad') this.out += '%!(BADWIDTH)';
    else this.setWidth(width);
    if (precision === 'bad') this.out += '%!(BADPREC)';
    else this.precision = precision;
  }

  private directive({ verb, argument }: Directive): void {
    switch (argument.kind) {
      case 'none':
        this.out += verb === '' ? '%!(NOVERB)' : '%';
        break;
      case 'bad-index':
        this.out += `%!${verb}(BADINDEX)`;
        break;
      case 'missing':
        this.out += `%!${verb}(MISSING)`;
        break;
      case 'value':
        this.directiveArgument(argument.value, verb);
        break;
      default:
        unreachable(argument);
    }
  }

  private directiveArgument(value: Value, verb: string): void {
    if (verb === 'v' || verb === 'w') {
      this.sharpV = this.sharp;
      this.sharp = false;
      this.plusV = this.plus;
      this.plus = false;
    }
    this.argument(value, verb);
  }

  private clearFlags(): void {
    this.width = -1;
    this.precision = -1;
    this.minus = this.plus = this.sharp = this.space = this.zero = this.plusV = this.sharpV = false;
  }

  private flag(flag: string): void {
    switch (flag) {
      case '#':
        this.sharp = true;
        break;
      case '0':
        this.zero = true;
        break;
      case '+':
        this.plus = true;
        break;
      case '-':
        this.minus = true;
        break;
      default:
        this.space = true;
    }
  }

  /** A negative one comes from a `*`; undefined means none. */
  private setWidth(width: number | undefined): void {
    if (width === undefined) return;
    this.width = Math.abs(width);
    if (width < 0) {
      this.minus = true;
      this.zero = false;
    }
  }

  private extraArguments(values: readonly Value[]): void {
    this.clearFlags();
    this.out += '%!(EXTRA ';
    values.forEach((value, index) => {
      if (index > 0) this.out += ', ';
      if (isNil(value)) {
        this.out += '<nil>';
      } else {
        this.out += `${goTypeOf(value)}=`;
        this.argument(value, 'v');
      }
    });
    this.out += ')';
  }

  private argument(value: Value, verb: string): void {
    if (isNil(value)) {
      if (verb === 'T' || verb === 'v') this.pad('<nil>');
      else this.out += `%!${verb}(<nil>)`;
    } else if (verb === 'T') {
      this.string(goTypeOf(value), 's');
    } else if (verb === 'p') {
      this.pointer(value, verb);
    } else if (value instanceof Uint8Array) {
      this.bytes(value, verb, '[]byte');
    } else {
      this.value(value, verb, 0);
    }
  }

  /** `depth` counts the lists, maps and structs around the value. */
  private value(value: Value, verb: string, depth: number): void {
    if (isNil(value)) {
      this.out += this.sharpV ? 'interface {}(nil)' : '<nil>';
      return;
    }
    switch (typeof value) {
      case 'string':
        return this.string(value, verb);
      case 'boolean':
        return this.boolean(value, verb);
      case 'number':
        return this.float(value, verb);
      default:
    }
    if (value instanceof GoInt) return this.integer(value.value, value.type.startsWith('u'), verb, value);
    if (value instanceof Uint8Array) return this.nestedBytes(value, verb, depth);
    checkTextLength(this.out.length);
    if (Array.isArray(value)) return this.list(value, goTypeOf(value), verb, depth);
    if (value instanceof Map) return this.map(value, goTypeOf(value), verb, depth);
    if (isGoFunction(value)) return this.pointer(value, verb);
    return this.object(value as GoObject, verb, depth);
  }

  private object(object: GoObject, verb: string, depth: number): void {
    if (verb === 'w') return this.badVerb(verb, object);
    const syntax = this.sharpV && !this.erroring ? object.goSyntax() : undefined;
    if (syntax !== undefined) return this.padTruncated(syntax);
    if (!this.sharpV && !this.erroring && 'vsxXq'.includes(verb)) {
      const text = object.stringer();
      if (text !== undefined) return this.string(text, verb);
    }
    if (object instanceof GoComplex) return this.complex(object, verb);
    switch (object.goKind) {
      case 'struct':
        return this.struct(object, object.goType, verb, depth);
      case 'ptr':
        if (depth > 0) return this.pointer(object, verb);
        this.out += '&';
        return this.struct(object, object.goType.replace(/^\*/, ''), verb, depth);
      default:
        return this.namedValue(object, verb, depth);
    }
  }

  /** A named map, list, string or number prints as what it is made of. */
  private namedValue(object: GoObject, verb: string, depth: number): void {
    const underlying = object.encoded();
    if (underlying instanceof Map) return this.map(underlying, object.goType, verb, depth);
    if (Array.isArray(underlying)) return this.list(underlying, object.goType, verb, depth);
    if (underlying === object) return this.struct(object, object.goType, verb, depth);
    this.named = object;
    this.value(underlying, verb, depth);
    this.named = undefined;
  }

  private list(list: readonly Value[], type: string, verb: string, depth: number): void {
    if (this.sharpV && isNilList(list as GoList)) return this.nilOf(type);
    this.visits.add(list.length);
    this.out += this.sharpV ? `${type}{` : '[';
    list.forEach((element, index) => {
      if (index > 0) this.out += this.sharpV ? ', ' : ' ';
      this.value(element, verb, depth + 1);
    });
    this.out += this.sharpV ? '}' : ']';
  }

  private nilOf(type: string): void {
    this.out += `${type}(nil)`;
  }

  private map(map: GoMap, type: string, verb: string, depth: number): void {
    if (this.sharpV && isNilMap(map)) return this.nilOf(type);
    this.visits.add(map.size);
    this.out += this.sharpV ? `${type}{` : 'map[';
    [...map.keys()].sort(compareText).forEach((key, index) => {
      if (index > 0) this.out += this.sharpV ? ', ' : ' ';
      this.string(key, verb);
      this.out += ':';
      this.value(map.get(key), verb, depth + 1);
    });
    this.out += this.sharpV ? '}' : ']';
  }

  private struct(object: GoObject, type: string, verb: string, depth: number): void {
    this.out += this.sharpV ? `${type}{` : '{';
    object.fields().forEach(([name, value], index) => {
      if (index > 0) this.out += this.sharpV ? ', ' : ' ';
      if (this.plusV || this.sharpV) this.out += `${name}:`;
      this.value(value, verb, depth + 1);
    });
    this.out += '}';
  }

  private bytes(bytes: Uint8Array, verb: string, type: string): void {
    switch (verb) {
      case 'v':
      case 'd':
        if (this.sharpV) this.out += `${type}{${Array.from(bytes, (byte) => `0x${byte.toString(16)}`).join(', ')}}`;
        else this.byteList(bytes, verb);
        return;
      case 's':
      case 'q':
        return this.string(decodeText(bytes), verb);
      case 'x':
      case 'X':
        return this.hexBytes(bytes, verb);
      default:
        return this.nestedBytes(bytes, verb, 0);
    }
  }

  private nestedBytes(bytes: Uint8Array, verb: string, depth: number): void {
    if ('sqxX'.includes(verb)) this.bytes(bytes, verb, '[]uint8');
    else if (this.sharpV) this.list(byteValues(bytes), '[]uint8', verb, depth);
    else this.byteList(bytes, verb);
  }

  /** Each of the 256 bytes is formatted once: `print` of a template's context prints every byte of the chart's files. */
  private byteList(bytes: Uint8Array, verb: string): void {
    this.visits.add(bytes.length);
    const texts: string[] = [];
    const parts = Array.from(bytes, (byte) => {
      texts[byte] ??= this.byteText(byte, verb);
      return texts[byte];
    });
    this.out += `[${parts.join(' ')}]`;
  }

  private byteText(byte: number, verb: string): string {
    const before = this.out;
    this.out = '';
    this.value(byteValue(byte), verb, 1);
    const text = this.out;
    this.out = before;
    return text;
  }

  private boolean(value: boolean, verb: string): void {
    if (verb === 't' || verb === 'v') this.pad(value ? 'true' : 'false');
    else this.badVerb(verb, value);
  }

  private string(text: string, verb: string): void {
    switch (verb) {
      case 'v':
        return this.sharpV ? this.quoted(text) : this.padTruncated(text);
      case 's':
        return this.padTruncated(text);
      case 'q':
        return this.quoted(text);
      case 'x':
      case 'X':
        return this.hexBytes(encodeText(text), verb);
      default:
        return this.badVerb(verb, text);
    }
  }

  private padTruncated(text: string): void {
    this.pad(this.precision < 0 ? text : truncated(text, this.precision));
  }

  private quoted(text: string): void {
    const kept = this.precision < 0 ? text : truncated(text, this.precision);
    if (this.sharp && canBackquote(kept)) this.pad(`\`${kept}\``);
    else this.pad(this.plus ? quoteToASCII(kept) : quote(kept));
  }

  /** `%x` of a string: two digits for each byte; a space flag separates the bytes, a sharp flag puts 0x before them. */
  private hexBytes(bytes: Uint8Array, verb: 'x' | 'X'): void {
    const kept = this.precision < 0 ? bytes : bytes.subarray(0, this.precision);
    if (kept.length === 0) return this.pad('');
    const digits = Array.from(kept, (byte) => byte.toString(16).padStart(2, '0'));
    const prefix = this.sharp ? '0x' : '';
    const text = prefix + digits.join(this.space ? ` ${prefix}` : '');
    this.pad(verb === 'x' ? text : text.toUpperCase());
  }

  private integer(value: bigint, isUnsigned: boolean, verb: string, original: Value): void {
    switch (verb) {
      case 'v':
        return this.sharpV && isUnsigned ? this.goSyntaxHex(value) : this.digits(value, 10, verb);
      case 'd':
        return this.digits(value, 10, verb);
      case 'b':
        return this.digits(value, 2, verb);
      case 'o':
      case 'O':
        return this.digits(value, 8, verb);
      case 'x':
      case 'X':
        return this.digits(value, 16, verb);
      case 'c':
        return this.pad(String.fromCodePoint(runeOf(value)));
      case 'q':
        return this.pad(this.plus ? quoteRuneToASCII(runeOf(value)) : quoteRune(runeOf(value)));
      case 'U':
        return this.unicode(value);
      default:
        return this.badVerb(verb, original);
    }
  }

  private goSyntaxHex(value: bigint): void {
    this.sharp = true;
    this.digits(value, 16, 'v');
    this.sharp = false;
  }

  private digits(value: bigint, base: 2 | 8 | 10 | 16, verb: string): void {
    const isNegative = value < 0n;
    const isUpper = verb === 'X';
    let digits = (isNegative ? -value : value).toString(base);
    if (isUpper) digits = digits.toUpperCase();
    const sign = isNegative ? '-' : this.plus ? '+' : this.space ? ' ' : '';
    if (this.precision >= 0) {
      if (this.precision === 0 && value === 0n) return this.padWithSpaces('');
      digits = digits.padStart(this.precision, '0');
    } else if (this.zero && !this.minus && this.width >= 0) {
      digits = digits.padStart(this.width - sign.length, '0');
    }
    if (this.sharp) {
      if (base === 2) digits = `0b${digits}`;
      else if (base === 8 && !digits.startsWith('0')) digits = `0${digits}`;
      else if (base === 16) digits = `${isUpper ? '0X' : '0x'}${digits}`;
    }
    if (verb === 'O') digits = `0o${digits}`;
    this.padWithSpaces(sign + digits);
  }

  private unicode(value: bigint): void {
    const code = BigInt.asUintN(64, value);
    const digits = code.toString(16).toUpperCase().padStart(Math.max(this.precision, 4), '0');
    const isShown = this.sharp && code <= 0x10ffffn && isPrint(Number(code));
    this.padWithSpaces(`U+${digits}${isShown ? ` '${String.fromCodePoint(Number(code))}'` : ''}`);
  }

  private float(value: number, verb: string): void {
    switch (verb) {
      case 'v':
        return this.floatText(value, 'g', -1);
      case 'b':
      case 'g':
      case 'G':
      case 'x':
      case 'X':
        return this.floatText(value, verb, -1);
      case 'f':
      case 'e':
      case 'E':
        return this.floatText(value, verb, 6);
      case 'F':
        return this.floatText(value, 'f', 6);
      default:
        return this.badVerb(verb, value);
    }
  }

  private floatText(value: number, format: FloatFormat, defaultPrecision: number): void {
    const precision = this.precision >= 0 ? this.precision : defaultPrecision;
    const text = formatFloat(value, format, precision);
    const hasSign = text.startsWith('-') || text.startsWith('+');
    const isNegative = text.startsWith('-');
    let digits = hasSign ? text.slice(1) : text;
    const sign = isNegative ? '-' : this.plus ? '+' : this.space ? ' ' : '';
    if (!Number.isFinite(value)) {
      const shownSign = sign === '' && digits === 'Inf' ? '+' : sign;
      return this.padWithSpaces(shownSign + digits);
    }
    if (this.sharp && format !== 'b') digits = withPoint(digits, format, precision);
    if (sign !== '' && this.zero && !this.minus && this.width > sign.length + digits.length) {
      this.out += sign + digits.padStart(this.width - sign.length, '0');
    } else {
      this.pad(sign + digits);
    }
  }

  private complex(value: GoComplex, verb: string): void {
    if (!'vbgGxXfFeE'.includes(verb)) return this.badVerb(verb, value);
    const { plus } = this;
    this.out += '(';
    this.float(value.real, verb);
    this.plus = true;
    this.float(value.imaginary, verb);
    this.out += 'i)';
    this.plus = plus;
  }

  private pointer(value: Value, verb: string): void {
    const isPointer =
      value instanceof Map ||
      Array.isArray(value) ||
      value instanceof Uint8Array ||
      isGoFunction(value) ||
      (value instanceof GoObject && /ptr|map|slice/.test(value.goKind));
    if (!isPointer) return this.badVerb(verb, value);
    switch (verb) {
      case 'v':
        if (this.sharpV) this.out += `(${goTypeOf(value)})(0x${address.toString(16)})`;
        else this.addressText(!this.sharp);
        return;
      case 'p':
        return this.addressText(!this.sharp);
      case 'b':
      case 'o':
      case 'd':
      case 'x':
      case 'X':
        return this.integer(address, true, verb, value);
      default:
        return this.badVerb(verb, value);
    }
  }

  private addressText(hasPrefix: boolean): void {
    const { sharp } = this;
    this.sharp = hasPrefix;
    this.digits(address, 16, 'v');
    this.sharp = sharp;
  }

  private badVerb(verb: string, value: Value): void {
    const wasErroring = this.erroring;
    this.erroring = true;
    this.out += `%!${verb}(${goTypeOf(this.named ?? value)}=`;
    this.argument(value, 'v');
    this.out += ')';
    this.erroring = wasErroring;
  }

  private pad(text: string): void {
    const missing = this.width < 0 ? 0 : this.width - runeCount(text);
    if (missing <= 0) this.out += text;
    else if (this.minus) this.out += text + ' '.repeat(missing);
    else this.out += (this.zero ? '0' : ' ').repeat(missing) + text;
  }

  private padWithSpaces(text: string): void {
    const { zero } = this;
    this.zero = false;
    this.pad(text);
    this.zero = zero;
  }
}

const byteValue = (byte: number): Value => new GoInt('uint8', BigInt(byte));
const byteValues = (bytes: Uint8Array): Value[] => Array.from(bytes, byteValue);

const runeOf = (value: bigint): number =>
  value < 0n || value > 0x10ffffn || (value >= 0xd800n && value <= 0xdfffn) ? 0xfffd : Number(value);

/** The number of Go's runes: code points, and bytes that are not UTF-8. */
export function runeCount(text: string): number {
  if (!/[\ud800-\udbff]/.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The first `count` runes. */
function truncated(text: string, count: number): string {
  if (text.length <= count) return text;
  return [...text].slice(0, count).join('');
}

/** `%#g` and friends: always a decimal point, and the trailing zeros that the precision asks for. */
function withPoint(digits: string, format: FloatFormat, precision: number): string {
  const exponentAt = digits.search(format === 'x' || format === 'X' ? /p/i : /e/i);
  const tail = exponentAt < 0 ? '' : digits.slice(exponentAt);
  let head = exponentAt < 0 ? digits : digits.slice(0, exponentAt);
  let missing = 0;
  if (format === 'g' || format === 'G' || format === 'x') missing = precision === -1 ? 6 : precision;
  missing -= head.replace(/^[0.]+/, '').replace('.', '').length;
  if (!head.includes('.')) {
    if (head === '0') missing -= 1;
    head += '.';
  }
  return head + '0'.repeat(Math.max(missing, 0)) + tail;
}
