import { describe, expect, test } from 'vitest';
import { FunctionSet, parse, struct, TemplateError, TypedValue, typed } from '../../src/go-template.ts';
import { helm, sprig, time } from '../../src/go-template-functions.ts';
import { fromYaml, toYaml, YamlError } from '../../src/go-yaml.ts';

const render = (text: string, data?: unknown, options?: Parameters<typeof parse>[1]): string =>
  parse(text, options).execute(data);

/** The error of a call, to look at what it says. */
function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('data', () => {
  test.each<[string, unknown, string]>([
    ['nil', null, '<nil> <no value>'],
    ['nothing', undefined, '<nil> <no value>'],
    ['an integer', 3, 'int 3'],
    ['a fraction', 1.5, 'float64 1.5'],
    ['minus zero', -0, 'float64 -0'],
    ['beyond the safe integers', 2 ** 60, 'float64 1.152921504606847e+18'],
    ['a bigint', 2n ** 60n, 'int64 1152921504606846976'],
    ['a bigint of 64 bits', 2n ** 64n - 1n, 'uint64 18446744073709551615'],
    ['a list', [1, 'a', null], '[]interface {} [1 a <nil>]'],
    ['bytes', new Uint8Array([1, 2]), '[]uint8 [1 2]'],
    ['an object', { b: 1, a: [2], c: undefined }, 'map[string]interface {} map[a:[2] b:1]'],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), 'map[string]interface {} map[a:1]'],
    ['a Map', new Map([['a', 1]]), 'map[string]interface {} map[a:1]'],
    ['a member __proto__', JSON.parse('{"__proto__": 1}'), 'map[string]interface {} map[__proto__:1]'],
    ['a typed value', typed('uint8', 200), 'uint8 200'],
    ['typed values inside', [typed('float64', 2), typed('[]string', ['x'])], '[]interface {} [2 [x]]'],
    ['a typed map', typed('map[string][]int', { a: [1] }), 'map[string][]int map[a:[1]]'],
    ['nil of a type', typed('[]string', null), '[]string []'],
    ['a struct', struct('main.T', { A: 1, B: 'x' }), 'main.T {1 x}'],
  ])('%s', (_what, data, printed) => expect(render('{{ printf "%T" . }} {{ . }}', data)).toBe(printed));

  test('integers as Helm has them', () => {
    expect(render('{{ printf "%T" .n }} {{ .n }}', { n: 1_000_000 }, { integers: 'float64' })).toBe('float64 1e+06');
  });

  class User {
    readonly name = 'Ann';
  }
  test.each<[string, unknown, string]>([
    ['a Date', { a: [new Date(0)] }, 'data.a[0] is an object of Date: give a plain object, a text, or a struct()'],
    [
      'an object of a class',
      { u: new User() },
      'data.u is an object of User: give a plain object, a text, or a struct()',
    ],
    ['a symbol', Symbol('x'), 'data is a symbol, which Go has not'],
    ['keys that are no strings', { m: new Map([[1, 2]]) }, 'data.m has a key of type number: keys are strings'],
    ['a bigint that is too large', 2n ** 64n, 'data is no uint64: 18446744073709551616 is out of range'],
  ])('%s is refused, with its place', (_what, data, message) => {
    expect(() => render('x', data)).toThrow(new TypeError(message));
  });

  test.each<[string, unknown, string]>([
    ['int', 1.5, 'the value is no int: 1.5'],
    ['uint8', 256, 'the value is no uint8: 256 is out of range'],
    ['string', null, 'the value is no string: null'],
    ['[]int', [1, 'x'], 'the value[1] is no int: "x"'],
    ['map[string]int', { a: true }, 'the value.a is no int: true'],
    ['map[int]string', {}, 'map[int]string: keys of maps are strings here'],
    ['float32', 1, 'the value is to be float32: make it with struct()'],
    ['int', typed('int64', 1), 'the value is no int, but int64'],
  ])('no %s: case %#', (type, value, message) => {
    expect(() => typed(type, value)).toThrow(new TypeError(message));
  });

  test('shared and circular data stays so, and the data of the caller is never changed', () => {
    const shared = { n: 1 };
    const data: Record<string, unknown> = { a: shared, b: shared };
    data['self'] = data;
    const text = '{{ $_ := set .a "n" 2 }}{{ .b.n }} {{ .self.self.a.n }}';
    expect(render(text, data, { functions: sprig() })).toBe('2 2');
    expect(shared).toEqual({ n: 1 });
  });
});

describe('functions', () => {
  test("a plain one gets JavaScript's values, and gives Go's", () => {
    const seen: unknown[] = [];
    const look = (...args: unknown[]): unknown => {
      seen.push(...args);
      return { n: 1 };
    };
    const text = '{{ (look .m 1 2.5 nil true .b .big).n | printf "%T" }}';
    const data = { m: { a: [1] }, b: new Uint8Array([7]), big: 2n ** 60n };
    expect(render(text, data, { functions: { look } })).toBe('int');
    expect(seen).toEqual([{ a: [1] }, 1, 2.5, null, true, new Uint8Array([7]), 2n ** 60n]);
  });

  test('a typed one gets what its types say', () => {
    const seen: unknown[] = [];
    const signature = 'func(int, int64, []string, reflect.Value, ...any) []string';
    const look = typed(signature, (...args: unknown[]) => {
      seen.push(...args);
      return ['a', 'b'];
    });
    const data = { long: 5n, texts: typed('[]string', ['x']), u: typed('uint16', 3) };
    expect(render('{{ look 1 .long .texts .u 1 "y" | printf "%T" }}', data, { functions: { look } })).toBe('[]string');
    expect(seen).toEqual([1, 5, ['x'], expect.any(TypedValue), [1, 'y']]);
    expect((seen[3] as TypedValue).goType).toBe('uint16');
  });

  test('what a function throws, or returns wrongly, is its error', () => {
    const cause = new RangeError('too far');
    const functions = {
      far: () => {
        throw cause;
      },
      count: typed('func() int', () => 'many'),
    };
    const error = thrownBy(() => render('\n{{ far }}', null, { functions })) as TemplateError;
    expect(error).toBeInstanceOf(TemplateError);
    expect(error).toMatchObject({
      message: 'template: template:2:3: executing "template" at <far>: error calling far: too far',
      line: 2,
      column: 3,
      context: 'far',
      cause: { cause },
    });
    expect(() => render('{{ count }}', null, { functions })).toThrow(
      'error calling count: the result is no int: "many"',
    );
  });

  test.each<[string, unknown, string]>([
    ['a-b', () => 1, 'function name "a-b" is not a valid identifier'],
    ['a', 1, 'value for a not a function'],
  ])('%s: %s is refused', (name, value, message) => {
    expect(() => parse('', { functions: { [name]: value } })).toThrow(new TypeError(message));
  });

  test('of two with one name the later one counts, and a builtin can be replaced', () => {
    const functions = [sprig(), { upper: () => 'mine', len: () => 'own' }];
    expect(render('{{ upper "x" }} {{ len "x" }} {{ lower "X" }}', null, { functions })).toBe('mine own x');
  });
});

describe('sets', () => {
  test("sprig's are sprig's, and Helm's are Helm's", () => {
    expect([sprig(), helm()].every((set) => set instanceof FunctionSet)).toBe(true);
    const both = ['{{ fromJson "x" }}', '{{ slice (list 1 2 3) 1 }}', '{{ fail "why" }}'];
    const outcomes = (functions: FunctionSet): string[] =>
      both.map((text) => {
        try {
          return render(text, null, { functions });
        } catch (error) {
          return (error as Error).message.split('>: ')[1] as string;
        }
      });
    expect(outcomes(sprig())).toEqual(['<no value>', '[2 3]', 'error calling fail: why']);
    expect(outcomes(helm())).toEqual([
      "map[Error:invalid character 'x' looking for beginning of value]",
      '[2 3]',
      'error calling fail: why',
    ]);
    expect(() => render('{{ toYaml . }}', null, { functions: sprig() })).toThrow('function "toYaml" not defined');
    expect(() => render('{{ env "A" }}', null, { functions: helm() })).toThrow('function "env" not defined');
  });

  test("Helm's include, tpl and required know the template that they are called in, and its clones theirs", () => {
    const first = parse('{{ define "t" }}<{{ . }}>{{ end }}{{ include "t" .a }} {{ tpl .text . }}', {
      functions: helm(),
    });
    const data = { a: 1, text: '{{ include "t" .a | upper }}' };
    expect(first.execute(data)).toBe('<1> <1>');
    const second = first.clone().parse('t', '[{{ . }}]');
    expect([first.execute(data), second.execute(data)]).toEqual(['<1> <1>', '[1] [1]']);
    expect(() => render('{{ required "name it" .x }}', {}, { functions: helm() })).toThrow(
      'error calling required: name it',
    );
  });

  test('the world comes from the options', () => {
    const options = { now: () => new Date(0), randomBytes: (count: number) => new Uint8Array(count), timeZone: 'UTC' };
    const functions = sprig({ ...options, env: { A: 'x' } });
    expect(
      render('{{ now | date "2006" }} {{ randAlpha 3 }} {{ env "A" }}{{ expandenv "-$A$B" }}', null, { functions }),
    ).toBe('1970 AAA x-x');
    expect(render('{{ uuidv4 | len }} {{ randAlphaNum 70000 | len }}', null, { functions: sprig() })).toBe('36 70000');
    expect(render('{{ .t.Year }}', { t: time(new Date(0), 'UTC') })).toBe('1970');
  });

  test('keys and certificates are refused', () => {
    expect(() => render('{{ genPrivateKey "rsa" }}', null, { functions: sprig() })).toThrow(
      'error calling genPrivateKey: no keys and certificates are made here: give a function genPrivateKey of your own',
    );
  });
});

describe('templates', () => {
  test.each([
    ['<% %>', 'a <%- .x -%> b<%/* no */%>{{ .x }}', 'a1b{{ .x }}'],
    ['| |', '|if .x|yes|end|', 'yes'],
    [' ', '{{ .x }}', '1'],
    ['$ $', '$.x$', '1'],
  ])('delimiters %s', (delimiters, text, output) => {
    const [left = '', right = ''] = delimiters.split(' ');
    expect(render(text, { x: 1 }, { delimiters: [left, right] })).toBe(output);
  });

  test('delimiters belong to what is added later, and to clones', () => {
    const template = parse('[[ template "b" ]]', { delimiters: ['[[', ']]'] }).parse('b', '[[ 1 ]]{{ 2 }}');
    expect([template.execute(), template.clone().parse('b', '[[ 3 ]]').execute()]).toEqual(['1{{ 2 }}', '3']);
  });

  test.each([
    ['default', '<no value> <no value>'],
    ['zero', '<no value> 0'],
  ] as const)('missing keys: %s', (missingKey, output) => {
    expect(render('{{ .a.x }} {{ .b.x }}', { a: {}, b: typed('map[string]int', {}) }, { missingKey })).toBe(output);
  });

  test('missing keys: error', () => {
    expect(() => render('{{ .x }}', {}, { missingKey: 'error' })).toThrow('map has no entry for key "x"');
  });

  test("a template that does not exist, and one that does not parse, fail in Go's words", () => {
    const template = parse('{{ define "a" }}{{ end }}', { name: 'main' });
    expect(template.execute()).toBe('');
    expect(() => template.executeTemplate('b')).toThrow('template: no template "b" associated with template "main"');
    expect(() => template.parse('b', '{{ define "a" }}x{{ end }}{{')).toThrow('template: b:1: unclosed action');
    expect([template.has('b'), template.executeTemplate('a')]).toEqual([false, '']);
  });

  test('a run takes a limited number of steps', () => {
    const template = parse('{{ range .n }}.{{ end }}', { maxSteps: 10 });
    expect(template.execute({ n: 9 })).toBe('.........');
    expect(() => template.execute({ n: 10 })).toThrow('template takes too many steps');
    expect(template.execute({ n: 9 })).toBe('.........');
    expect(() => template.clone().execute({ n: 10 })).toThrow('template takes too many steps');
  });
});

describe('what a program gives wrongly', () => {
  const deep = (): unknown => {
    let data: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) data = { data };
    return data;
  };
  test.each<[string, () => unknown, string]>([
    ['no text', () => parse(undefined as never), 'the text of template template is no string, but undefined'],
    ['no YAML', () => fromYaml({} as never), 'the YAML is no string, but object'],
    ['a limit', () => parse('', { maxSteps: 'many' as never }), 'maxSteps is a number, 0 or more'],
    ['a policy', () => parse('', { missingKey: 'none' as never }), 'missingKey is one of default, zero, error'],
    ['a signature', () => typed('func(string', () => 1), 'func(string is not a signature of Go'],
    ['deep data', () => render('{{ . }}', deep()), 'data is nested too deeply'],
  ])('%s is a TypeError', (_what, call, message) => {
    expect(thrownBy(call)).toEqual(new TypeError(message));
  });
});

test('a value that cannot be printed is an error with its place', () => {
  const silent = typed('func() string', () => {
    throw new Error('no name yet');
  });
  const error = thrownBy(() => render('Dear\n{{ .who }}', { who: struct('main.User', {}, { String: silent }) }));
  expect(error).toBeInstanceOf(TemplateError);
  expect(error).toMatchObject({ line: 2, column: 3, context: '.who' });
});

describe('lists that hold others twice', () => {
  const doubled =
    '{{ $a := list 1 }}{{ $b := list 1 }}{{ range 40 }}{{ $a = list $a $a }}{{ $b = list $b $b }}{{ end }}';

  test('are compared as fast as in Go', () => {
    expect(render(`${doubled}{{ deepEqual $a $b }} {{ deepEqual $a (list $b) }}`, null, { functions: sprig() })).toBe(
      'true false',
    );
  });

  test('a map that holds itself equals another that does', () => {
    const text =
      '{{ $a := dict }}{{ $b := dict }}{{ $_ := set $a "x" $a }}{{ $_ = set $b "x" $b }}{{ deepEqual $a $b }}';
    expect(render(text, null, { functions: sprig() })).toBe('true');
  });
});

describe('YAML', () => {
  test('there and back', () => {
    const data = { b: [1, 2.5, null, true], a: { text: 'yes', empty: {}, list: [] }, long: 2n ** 60n };
    const text =
      'a:\n  empty: {}\n  list: []\n  text: "yes"\nb:\n- 1\n- 2.5\n- null\n- true\nlong: 1152921504606846976\n';
    expect(toYaml(data)).toBe(text);
    expect(fromYaml(text)).toEqual(data);
    expect(toYaml({ n: [1_000_000] }, { pretty: true })).toBe('"n":\n  - 1000000\n');
    expect(toYaml({ b: typed('[]byte', [104, 105]) })).toBe('b: aGk=\n');
    expect(fromYaml('')).toBe(null);
  });

  test("mistakes are told in Go's words", () => {
    expect(() => fromYaml('a: [')).toThrow(YamlError);
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => toYaml(circle)).toThrow(YamlError);
    expect(() => toYaml({ n: Number.NaN })).toThrow('error marshaling into JSON: json: unsupported value: NaN');
  });
});
