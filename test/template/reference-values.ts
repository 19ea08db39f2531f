import { Buffer } from 'node:buffer';
import { sprint } from '../../src/go/fmt/format.ts';
import { decodeText, encodeText } from '../../src/go/text.ts';
import { GoError, type GoFunction, GoInt, GoObject, type IntType, type Value, withGoType } from '../../src/go/value.ts';
import { compareText } from '../../src/support/order.ts';
import { TemplateError } from '../../src/template/error.ts';
import { goFunction } from '../../src/template/function.ts';
import { type ParsedSources, TemplateSet } from '../../src/template/template-set.ts';

// The twins of what test/e2e/go-template/main.go defines in Go.

export interface Case {
  readonly source: string;
  readonly data?: string;
  readonly missingKey?: 'default' | 'zero' | 'error';
  readonly templates?: Readonly<Record<string, string>>;
  readonly execute?: string;
}

class User extends GoObject {
  override readonly goType: string;
  override readonly goKind: 'struct' | 'ptr';
  private readonly values: ReadonlyMap<string, Value>;

  constructor(values: ReadonlyMap<string, Value>, isPointer: boolean) {
    super();
    this.values = values;
    this.goType = isPointer ? '*main.user' : 'main.user';
    this.goKind = isPointer ? 'ptr' : 'struct';
  }

  override hasField(name: string): boolean {
    return this.values.has(name);
  }

  override field(name: string): Value {
    return this.values.get(name);
  }

  override fields(): readonly (readonly [string, Value])[] {
    return [...this.values];
  }

  override method(name: string): GoFunction | undefined {
    const own = this.values.get('Name') as string;
    switch (name) {
      case 'Greet':
        return goFunction('func(string) string', (greeting: string) => `${greeting}, ${own}`);
      case 'Fail':
        return goFunction('func() (string, error)', () => {
          throw new GoError('user failed');
        });
      case 'Self':
        return goFunction('func() main.user', () => new User(this.values, false));
      case 'Join':
        return goFunction('func(string, ...string) string', (separator: string, rest: string[]) =>
          [...rest, own].join(separator),
        );
      default:
        return undefined;
    }
  }
}

class Named extends GoObject {
  override readonly goType: string;
  override readonly goKind: 'string' | 'slice' | 'map';
  private readonly content: Value;
  private readonly methods: Readonly<Record<string, GoFunction>>;
  private readonly text: string | undefined;

  constructor(
    goType: string,
    goKind: 'string' | 'slice' | 'map',
    content: Value,
    methods: Readonly<Record<string, GoFunction>>,
    text?: string,
  ) {
    super();
    this.goType = goType;
    this.goKind = goKind;
    this.content = content;
    this.methods = methods;
    this.text = text;
  }

  override hasField(): boolean {
    return false;
  }

  override field(): Value {
    return undefined;
  }

  override fields(): readonly (readonly [string, Value])[] {
    return [];
  }

  override method(name: string): GoFunction | undefined {
    return this.methods[name];
  }

  override stringer(): string | undefined {
    return this.text;
  }

  override encoded(): Value {
    return this.content;
  }
}

/** A value of cases.json: JSON, and `{"$int": "1"}` and its like for Go's other types. */
export function decodeValue(raw: unknown): Value {
  if (Array.isArray(raw)) return raw.map(decodeValue);
  if (typeof raw !== 'object' || raw === null) return raw as Value;
  for (const [key, content] of Object.entries(raw)) if (key.startsWith('$')) return special(key, content);
  return new Map(Object.entries(raw).map(([key, value]) => [key, decodeValue(value)]));
}

function special(kind: string, content: unknown): Value {
  switch (kind) {
    case '$float':
      return Number((content as string).replace('Inf', 'Infinity'));
    case '$strings':
      return withGoType([...(content as string[])], '[]string');
    case '$names':
      return new Named('main.names', 'slice', withGoType([...(content as string[])], '[]string'), {
        Has: goFunction('func(string) bool', (name: string) => (content as string[]).includes(name)),
      });
    case '$stringMap':
      return withGoType(new Map(Object.entries(content as Record<string, string>)), 'map[string]string');
    case '$settings': {
      const map = decodeValue(content) as Map<string, Value>;
      return new Named('main.settings', 'map', map, { Count: goFunction('func() int', () => map.size) });
    }
    case '$bytes':
      return new Uint8Array(Buffer.from(content as string, 'base64'));
    case '$raw':
      return decodeText(Buffer.from(content as string, 'base64'));
    case '$level': {
      const text = `level ${content as string}`;
      return new Named(
        'main.level',
        'string',
        content as string,
        { String: goFunction('func() string', () => text) },
        text,
      );
    }
    case '$user':
    case '$pointer':
      return user(content as Record<string, unknown>, kind === '$pointer');
    case '$func':
      return upper;
    default:
      return new GoInt(kind.slice(1) as IntType, BigInt(content as string));
  }
}

const user = (fields: Record<string, unknown>, isPointer: boolean): User =>
  new User(
    new Map<string, Value>([
      ['Name', fields['Name'] as string],
      ['Age', new GoInt('int', BigInt(fields['Age'] as number))],
      ['Tags', withGoType([...(fields['Tags'] as string[])], '[]string')],
      ['Next', decodeValue(fields['Next'])],
    ]),
    isPointer,
  );

// Like strings.ToUpper, it replaces what is not UTF-8.
const upper = goFunction('func(string) string', (text: string) =>
  text.toUpperCase().replace(/\p{Surrogate}/gu, '\ufffd'),
);

const functions = (set: () => TemplateSet): Record<string, GoFunction> => ({
  upper,
  fail: goFunction('func(string) (string, error)', (message: string) => {
    throw new GoError(message);
  }),
  list: goFunction('func(...interface {}) []interface {}', (values: Value[]) => [...values]),
  dict: goFunction('func(...interface {}) map[string]interface {}', (pairs: Value[]) => {
    const made = new Map<string, Value>();
    for (let index = 0; index + 1 < pairs.length; index += 2) made.set(sprint(pairs[index]), pairs[index + 1]);
    return made;
  }),
  same: goFunction('func(interface {}) interface {}', (value: Value) => value),
  none: goFunction('func() interface {}', () => null),
  count: goFunction('func(map[string]interface {}) int', (values: Map<string, Value>) => values.size),
  join: goFunction('func(string, []string) string', (separator: string, values: string[]) => values.join(separator)),
  split: goFunction('func(string) []string', (text: string) => text.split(',')),
  sum: goFunction('func(...int) int', (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)),
  repeat: goFunction('func(int, string) string', (count: number, text: string) => text.repeat(count)),
  half: goFunction('func(float64) float64', (number: number) => number / 2),
  flip: goFunction('func(bool) bool', (truth: boolean) => !truth),
  long: goFunction('func(int64) int64', (number: bigint) => number),
  byte: goFunction('func(uint8) uint8', (number: number) => number),
  unsigned: goFunction('func(uint64) uint64', (number: bigint) => number),
  items: goFunction('func([]interface {}) int', (values: Value[]) => values.length),
  getUpper: goFunction('func() func(string) string', () => upper),
  getSum: goFunction('func() func(int, ...int64) string', () =>
    goFunction('func(int, ...int64) string', (first: number, rest: bigint[]) => `${first} [${rest.join(' ')}]`),
  ),
  getBad: goFunction('func() func() (string, error)', () =>
    goFunction('func() (string, error)', () => {
      throw new GoError('bad');
    }),
  ),
  include: goFunction('func(string, interface {}) (string, error)', (name: string, data: Value) =>
    set().execute(name, data),
  ),
});

/** The text of a case, as main.go renders it. Fails with TemplateError. */
export function renderCase(
  { source, missingKey = 'zero', templates = {}, execute = 't' }: Case,
  data: Value,
  parsed?: ParsedSources,
): string {
  const set: TemplateSet = new TemplateSet({ functions: functions(() => set), missingKey, parsed });
  for (const name of Object.keys(templates).sort(compareText)) set.parse(name, templates[name] as string);
  set.parse('t', source);
  return set.execute(execute, data);
}

/** What a case gives, as main.go writes it. */
export interface Result {
  readonly text?: string;
  /** The text, where it is not UTF-8. */
  readonly base64?: string;
  readonly error?: string;
}

export function resultOf(each: Case, data: unknown, parsed?: ParsedSources): Result {
  try {
    const bytes = Buffer.from(encodeText(renderCase(each, decodeValue(data), parsed)));
    const text = bytes.toString('utf8');
    return bytes.equals(Buffer.from(text)) ? { text } : { base64: bytes.toString('base64') };
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.message.replace(/\p{Surrogate}+/gu, '\ufffd') };
    throw error;
  }
}
