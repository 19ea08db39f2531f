import { quote } from '../go/strconv/strconv.ts';
import { TshelmError } from '../support/errors.ts';
import { compareText } from '../support/order.ts';
import { isInteger } from '../support/text.ts';
import { labelKeyProblem, labelValueProblem } from './label-rules.ts';

type Labels = Readonly<Record<string, string>>;
type Requirement = (labels: Labels) => boolean;

/**
 * Reads a label selector as Kubernetes writes it (labels.Parse): `a=b`, `a!=b`, `a in (b,c)`, `a notin (b)`, `a>1`, `a`,
 * `!a`, joined by commas. Errors: `invalid-selector`, in Kubernetes' words.
 */
export function parseSelector(selector: string): Requirement {
  const requirements = new SelectorParser(selector).parse();
  return (labels) => requirements.every((holds) => holds(labels));
}

type TokenKind = 'end' | 'word' | ')' | ',' | '!' | '==' | '=' | '>' | 'in' | '<' | '!=' | 'notin' | '(';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const symbols: readonly string[] = ['==', '!=', '=', '!', '(', ')', ',', '>', '<'];

function tokensOf(selector: string): readonly Token[] {
  const found: Token[] = [];
  for (const [text] of selector.matchAll(/==|!=|[=!(),<>]|[^\s=!(),<>]+/g)) {
    const isKeyword = symbols.includes(text) || text === 'in' || text === 'notin';
    found.push({ kind: isKeyword ? (text as TokenKind) : 'word', text });
  }
  return [...found, { kind: 'end', text: '' }];
}

/** selector := [ requirement { "," requirement } ]. Each function follows the one of the same name in labels.Parser. */
class SelectorParser {
  readonly #selector: string;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(selector: string) {
    this.#selector = selector;
    this.#tokens = tokensOf(selector);
  }

  parse(): readonly Requirement[] {
    const requirements: Requirement[] = [];
    for (;;) {
      const { kind, text } = this.#peek();
      if (kind === 'end') return requirements;
      if (kind !== 'word' && kind !== '!')
        throw this.#fail(`found '${text}', expected: !, identifier, or 'end of string'`);
      requirements.push(this.#requirement());
      const after = this.#next();
      if (after.kind === 'end') return requirements;
      if (after.kind !== ',') throw this.#fail(`found '${after.text}', expected: ',' or 'end of string'`);
      const following = this.#peek();
      if (following.kind !== 'word' && following.kind !== '!')
        throw this.#fail(`found '${following.text}', expected: identifier after ','`);
    }
  }

  /** requirement := [ "!" ] key | key operator values */
  #requirement(): Requirement {
    const isDenied = this.#peek().kind === '!';
    if (isDenied) this.#next();
    const { kind, text: key } = this.#next();
    if (kind !== 'word') throw this.#refuse(`found '${key}', expected: identifier`);
    const problem = labelKeyProblem(key);
    if (problem !== undefined) throw this.#refuse(problem);
    if (isDenied) return not(exists(key));
    if (['end', ','].includes(this.#peek().kind)) return exists(key);
    return this.#comparison(key);
  }

  #comparison(key: string): Requirement {
    const { kind, text } = this.#next(true);
    switch (kind) {
      case 'in':
        return isOneOf(key, this.#checked(key, this.#values()));
      case 'notin':
        return not(isOneOf(key, this.#checked(key, this.#values())));
      case '=':
      case '==':
        return isOneOf(key, this.#checked(key, [this.#exactValue()]));
      case '!=':
        return not(isOneOf(key, this.#checked(key, [this.#exactValue()])));
      case '>':
      case '<':
        return this.#ordered(key, kind);
      default:
        throw this.#refuse(`found '${text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  #ordered(key: string, operator: '>' | '<'): Requirement {
    const value = this.#exactValue();
    const isNumber = isInt64(value);
    if (!isNumber)
      throw this.#refuse(
        `values[0]: Invalid value: ${quote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    this.#checked(key, [value]);
    return (labels) => {
      const own = Object.hasOwn(labels, key) ? (labels[key] ?? '') : '';
      if (!isInt64(own)) return false;
      return operator === '>' ? BigInt(own) > BigInt(value) : BigInt(own) < BigInt(value);
    };
  }

  /** values := "(" [ value { "," value } ] ")"; a value may be empty. */
  #values(): readonly string[] {
    const open = this.#next();
    if (open.kind !== '(') throw this.#refuse(`found '${open.text}' expected: '('`);
    const values = new Set<string>();
    for (let isAfterValue = false; ; ) {
      const { kind, text } = this.#next();
      if (kind === ')') {
        if (!isAfterValue) values.add('');
        return [...values].sort(compareText);
      }
      if (kind === ',') {
        if (!isAfterValue) values.add('');
        isAfterValue = false;
      } else if (kind === 'word' && !isAfterValue) {
        values.add(text);
        isAfterValue = true;
      } else {
        throw this.#refuse(`found '${text}', expected: ${isAfterValue ? "',' or ')'" : "',', ')' or identifier"}`);
      }
    }
  }

  #exactValue(): string {
    if (['end', ','].includes(this.#peek().kind)) return '';
    const { kind, text } = this.#next();
    if (kind !== 'word') throw this.#refuse(`found '${text}', expected: identifier`);
    return text;
  }

  #checked(key: string, values: readonly string[]): readonly string[] {
    const problems = values.map((value, index) => labelValueProblem(key, value, index));
    const found = problems.filter((problem) => problem !== undefined);
    if (found.length > 0) throw this.#refuse(found.length === 1 ? (found[0] as string) : `[${found.join(', ')}]`);
    return values;
  }

  /** `in` and `notin` are operators only where one is expected. */
  #next(isOperator = false): Token {
    const token = this.#peek(isOperator);
    if (token.kind !== 'end') this.#at += 1;
    return token;
  }

  #peek(isOperator = false): Token {
    const token = this.#tokens[this.#at] as Token;
    const isName = !isOperator && (token.kind === 'in' || token.kind === 'notin');
    return isName ? { kind: 'word', text: token.text } : token;
  }

  #refuse(problem: string): TshelmError {
    return this.#fail(`unable to parse requirement: ${problem}`);
  }

  #fail(message: string): TshelmError {
    return new TshelmError('invalid-selector', { message, details: { selector: this.#selector } });
  }
}

const isInt64 = (text: string): boolean => isInteger(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);

const not =
  (requirement: Requirement): Requirement =>
  (labels) =>
    !requirement(labels);
const exists =
  (key: string): Requirement =>
  (labels) =>
    Object.hasOwn(labels, key);
const isOneOf =
  (key: string, wanted: readonly string[]): Requirement =>
  (labels) =>
    Object.hasOwn(labels, key) && wanted.includes(labels[key] ?? '');
