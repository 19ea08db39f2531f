import { GoInt, type Value } from '../value.ts';

/** One `%…` of a format, with the argument that it prints (fmt.pp.doPrintf). */
export interface Directive {
  /** Characters of `#0+- `, as they are. */
  readonly flags: string;
  /** Undefined where there is none; negative from a `*` only. */
  readonly width: number | undefined | 'bad';
  /** -1 where there is none. */
  readonly precision: number | 'bad';
  /** '' at the end of the format. */
  readonly verb: string;
  readonly argument: Argument;
}

export type Argument =
  | { readonly kind: 'value'; readonly value: Value }
  /** `%%`, or no verb. */
  | { readonly kind: 'none' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'bad-index' };

/** Go takes no width or precision beyond this. */
const largestWidth = 1e6;

/**
 * Reads a format one directive after another.
 * directive := "%" flags [ index ] [ width ] [ "." [ index ] precision ] [ index ] verb; index := "[" number "]".
 */
export class DirectiveReader {
  readonly #format: string;
  readonly #values: readonly Value[];
  #index = 0;
  #argument = 0;
  /** Whether any index was given: then no argument counts as left over. */
  #isReordered = false;
  #isGoodIndex = true;
  #isAfterIndex = false;

  constructor(format: string, values: readonly Value[]) {
    this.#format = format;
    this.#values = values;
  }

  /** The text up to the next directive, or to the end. */
  textBefore(): string {
    const percent = this.#format.indexOf('%', this.#index);
    const end = percent < 0 ? this.#format.length : percent;
    const text = this.#format.slice(this.#index, end);
    this.#index = end;
    return text;
  }

  /** The directive that begins here; undefined at the end. */
  next(): Directive | undefined {
    if (this.#index >= this.#format.length) return undefined;
    this.#index += 1;
    this.#isGoodIndex = true;
    this.#isAfterIndex = false;
    const flags = this.#flags();
    this.#explicitIndex();
    const width = this.#width();
    const precision = this.#precision();
    if (!this.#isAfterIndex) this.#explicitIndex();
    const verb = this.#verb();
    return { flags, width, precision, verb, argument: this.#argumentOf(verb) };
  }

  /** The arguments that no directive has taken. */
  get unused(): readonly Value[] {
    return this.#isReordered ? [] : this.#values.slice(this.#argument);
  }

  #flags(): string {
    const start = this.#index;
    while ('#0+- '.includes(this.#format[this.#index] ?? '.')) this.#index += 1;
    return this.#format.slice(start, this.#index);
  }

  #explicitIndex(): void {
    this.#isAfterIndex = false;
    if (this.#format[this.#index] !== '[') return;
    this.#isReordered = true;
    const { value, next, isNumber } = bracketedNumber(this.#format, this.#index);
    this.#index = next;
    this.#isAfterIndex = isNumber;
    if (isNumber && value >= 1 && value <= this.#values.length) this.#argument = value - 1;
    else this.#isGoodIndex = false;
  }

  #width(): Directive['width'] {
    if (this.#format[this.#index] === '*') return this.#star() ?? 'bad';
    const { value, next } = decimalAt(this.#format, this.#index);
    this.#index = next;
    if (this.#isAfterIndex && value >= 0) this.#isGoodIndex = false;
    return value < 0 ? undefined : value;
  }

  #precision(): Directive['precision'] {
    if (this.#format[this.#index] !== '.' || this.#index + 1 >= this.#format.length) return -1;
    this.#index += 1;
    if (this.#isAfterIndex) this.#isGoodIndex = false;
    this.#explicitIndex();
    if (this.#format[this.#index] === '*') {
      const precision = this.#star();
      return precision === undefined || precision < 0 ? 'bad' : precision;
    }
    const { value, next } = decimalAt(this.#format, this.#index);
    this.#index = next;
    return Math.max(value, 0);
  }

  /** The argument of a `*`; undefined where it is no integer or too large. */
  #star(): number | undefined {
    this.#index += 1;
    this.#isAfterIndex = false;
    if (this.#argument >= this.#values.length) return undefined;
    const value = this.#values[this.#argument++];
    if (!(value instanceof GoInt)) return undefined;
    const number = Number(value.value);
    return Math.abs(number) > largestWidth ? undefined : number;
  }

  #verb(): string {
    const code = this.#format.codePointAt(this.#index);
    const verb = code === undefined ? '' : String.fromCodePoint(code);
    this.#index = code === undefined ? this.#format.length : this.#index + verb.length;
    return verb;
  }

  #argumentOf(verb: string): Argument {
    if (verb === '' || verb === '%') return { kind: 'none' };
    if (!this.#isGoodIndex) return { kind: 'bad-index' };
    if (this.#argument >= this.#values.length) return { kind: 'missing' };
    return { kind: 'value', value: this.#values[this.#argument++] };
  }
}

interface NumberText {
  readonly value: number;
  readonly next: number;
}

/** The decimal number at `start`; -1 where there is none. A number that is too large takes the rest of the format. */
function decimalAt(format: string, start: number): NumberText {
  let value = -1;
  for (let index = start; index <= format.length; index++) {
    const digit = format.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) return { value, next: index };
    if (value > largestWidth) return { value: -1, next: format.length };
    value = Math.max(value, 0) * 10 + digit;
  }
  return { value, next: format.length };
}

/** The number in "[3]"; the "[" is at `start`. */
function bracketedNumber(format: string, start: number): NumberText & { readonly isNumber: boolean } {
  const close = format.indexOf(']', start);
  if (close < 0) return { value: 0, next: start + 1, isNumber: false };
  const { value, next } = decimalAt(format.slice(0, close), start + 1);
  return { value, next: close + 1, isNumber: value >= 0 && next === close };
}
