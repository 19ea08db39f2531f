import { readJson } from '../../go/json/json.ts';
import { isSpace } from '../../go/runes.ts';
import { atoi, quote, quoteRune } from '../../go/strconv/strconv.ts';
import { GoError, type GoList, type GoMap, goInt64, goTypeOf, type Value } from '../../go/value.ts';
import { messageOf } from '../../support/errors.ts';
import { isInteger } from '../../support/text.ts';
import { jsonValueEnd } from './json-prefix.ts';
import { RuneReader } from './rune-reader.ts';

/** What is right of `=`: text that `read` turns into a value, JSON, or (`literal`) the whole rest as it is. */
export type ValueGrammar =
  | { readonly kind: 'text'; readonly read: (text: string) => Value }
  | { readonly kind: 'json' }
  | { readonly kind: 'literal' };

const largestIndex = 65_536;
const deepestName = 30;
// Ours: Helm has no limit for a[0][0][0]…, but nothing that reads such a value later could bear it.
const deepestIndex = 1000;

/** How a part of the grammar ended: more may follow, or the text is at its end (Go's io.EOF). */
type Ending = 'more' | 'end';

/**
 * Writes `name1=value1,name2.inner[0]=value2` into `target`, as Helm's pkg/strvals does, its oddities included:
 * an index that the text breaks off in is no error, and `a={}` is a list with one empty string.
 * Throws GoError with Helm's message.
 */
export function parseSet(text: string, target: GoMap, grammar: ValueGrammar): void {
  const parser = new SetParser(text, grammar);
  while (parser.key(target, 0) === 'more');
}

class SetParser {
  private readonly input: RuneReader;
  private readonly grammar: ValueGrammar;
  private readonly keyStops: string;
  private openIndexes = 0;

  constructor(text: string, grammar: ValueGrammar) {
    this.input = new RuneReader(text, { escapes: grammar.kind !== 'literal' });
    this.grammar = grammar;
    this.keyStops = grammar.kind === 'literal' ? '=[.' : '=[,.';
  }

  /** pair := name { "." name | "[" index "]" } "=" value */
  key(data: GoMap, depth: number): Ending {
    const { text: name, stop } = this.input.until(this.keyStops);
    switch (stop) {
      case '[':
        return this.listUnder(data, name, depth);
      case '=':
        return this.valueInto((value) => set(data, name, value));
      case ',':
        throw new GoError(`key ${quote(name)} has no value (cannot end with ,)`);
      case '.':
        return this.mapUnder(data, name, depth + 1);
      default:
        if (name === '') return 'end';
        throw new GoError(`key ${quote(name)} has no value`);
    }
  }

  private mapUnder(data: GoMap, name: string, depth: number): Ending {
    if (depth > deepestName)
      throw new GoError(`value name nested level is greater than maximum supported nested level of ${deepestName}`);
    const inner = data.has(name) ? asMap(data.get(name)) : new Map<string, Value>();
    const ending = this.key(inner, depth);
    if (ending === 'more' && inner.size === 0) throw new GoError(`key map ${quote(name)} has no value`);
    if (inner.size > 0) set(data, name, inner);
    return ending;
  }

  private listUnder(data: GoMap, name: string, depth: number): Ending {
    const index = this.index();
    if (index === undefined) return 'end';
    const old = data.has(name) ? asList(data.get(name)) : [];
    const { list, ending } = this.listItem(old, index, depth);
    set(data, name, list);
    return ending;
  }

  /** The number between "[" (already read) and "]"; undefined where the text ends before. */
  private index(): number | undefined {
    const { text, stop } = this.input.until(']');
    if (stop === undefined) return undefined;
    try {
      return Number(atoi(text));
    } catch (cause) {
      throw new GoError(`error parsing index: ${messageOf(cause)}`, { cause });
    }
  }

  /** What follows "[index]": a value, another index, or the name of a member. */
  private listItem(list: GoList, index: number, depth: number): { list: GoList; ending: Ending } {
    if (index < 0) throw new GoError(`negative ${index} index not allowed`);
    const { text, stop } = this.input.until('[.=');
    if (text !== '') throw new GoError(`unexpected data at end of array index: ${quotedRunes(text)}`);
    switch (stop) {
      case '=': {
        let updated = list;
        this.valueInto((value) => {
          updated = withItem(list, index, value);
        });
        return { list: updated, ending: 'more' };
      }
      case '[':
        return this.listInList(list, index, depth);
      case '.':
        return this.mapInList(list, index, depth);
      default:
        return { list, ending: 'end' };
    }
  }

  private listInList(list: GoList, index: number, depth: number): { list: GoList; ending: Ending } {
    if (++this.openIndexes > deepestIndex) throw new GoError(`more than ${deepestIndex} indexes in one name`);
    const innerIndex = this.index();
    if (innerIndex === undefined) return { list, ending: 'end' };
    const old = list[index] ?? null;
    const inner = this.listItem(old === null ? [] : asList(old), innerIndex, depth);
    this.openIndexes--;
    return inner.ending === 'end'
      ? { list, ending: 'end' }
      : { list: withItem(list, index, inner.list), ending: 'more' };
  }

  private mapInList(list: GoList, index: number, depth: number): { list: GoList; ending: Ending } {
    const old = list[index];
    const inner: GoMap = old instanceof Map ? old : new Map<string, Value>();
    if (index < list.length) list[index] = inner;
    return this.key(inner, depth) === 'end'
      ? { list, ending: 'end' }
      : { list: withItem(list, index, inner), ending: 'more' };
  }

  private valueInto(store: (value: Value) => void): Ending {
    switch (this.grammar.kind) {
      case 'json':
        store(this.jsonValue());
        return 'more';
      case 'literal':
        store(this.input.until('').text);
        return 'more';
      case 'text': {
        if (this.input.peek() === undefined) {
          store('');
          return 'end';
        }
        store(this.textValue(this.grammar.read));
        return 'more';
      }
    }
  }

  /** value := "{" item { "," item } "}" [ "," ] | text [ "," ] */
  private textValue(read: (text: string) => Value): Value {
    if (this.input.peek() !== '{') return read(this.input.until(',').text);
    this.input.next();
    const list: GoList = [];
    for (;;) {
      const { text, stop } = this.input.until(',}');
      if (stop === undefined) throw new GoError("list must terminate with '}'");
      if (stop === '}' && this.input.peek() === ',') this.input.next();
      list.push(read(text));
      if (stop === '}') return list;
    }
  }

  /** JSON up to its own end, with the blanks and the comma after it; nothing at all is null. */
  private jsonValue(): Value {
    if (this.skipBlanksAndComma()) return null;
    const rest = this.input.rest();
    const end = jsonValueEnd(rest);
    const value = readJson(rest.slice(0, end));
    this.input.skip(end);
    this.skipBlanksAndComma();
    return value;
  }

  /** Whether nothing stood before the next comma or the end. The comma is read too. */
  private skipBlanksAndComma(): boolean {
    for (;;) {
      const rune = this.input.peek();
      if (rune === undefined) return true;
      if (rune !== ',' && !isSpace(rune)) return false;
      this.input.next();
      if (rune === ',') return true;
    }
  }
}

/** Helm ignores an empty name. */
function set(data: GoMap, name: string, value: Value): void {
  if (name !== '') data.set(name, value);
}

function withItem(list: GoList, index: number, value: Value): GoList {
  if (index > largestIndex)
    throw new GoError(`index of ${index} is greater than maximum supported index of ${largestIndex}`);
  const longer = list.length > index ? list : [...list, ...Array<Value>(index + 1 - list.length).fill(null)];
  longer[index] = value;
  return longer;
}

function asMap(value: Value): GoMap {
  if (value instanceof Map) return value;
  throw wrongType(value, 'map[string]interface {}');
}

function asList(value: Value): GoList {
  if (Array.isArray(value)) return value;
  throw wrongType(value, '[]interface {}');
}

// Helm recovers from Go's panic and shows its text.
const wrongType = (value: Value, wanted: string): GoError =>
  new GoError(`unable to parse key: interface conversion: interface {} is ${typeText(value)}, not ${wanted}`);

const typeText = (value: Value): string => (value === null ? 'nil' : goTypeOf(value));

/** The value that --set gives a text: true, false, null, an int64, or the text itself (typedVal). */
export function typedValue(text: string): Value {
  if (/^true$/iu.test(text)) return true;
  if (/^false$/iu.test(text)) return false;
  if (/^null$/iu.test(text)) return null;
  if (text === '0') return goInt64(0);
  return isInteger(text) && !text.startsWith('0') ? (int64(text) ?? text) : text;
}

function int64(digits: string): Value | undefined {
  const value = BigInt(digits.replace('+', ''));
  return BigInt.asIntN(64, value) === value ? goInt64(value) : undefined;
}

// Go prints a []rune with %q.
const quotedRunes = (text: string): string =>
  `[${Array.from(text, (rune) => quoteRune(rune.codePointAt(0) as number)).join(' ')}]`;
