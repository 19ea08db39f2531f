import { type Functions, struct, type TypedValue, typed } from '../../../../src/go-template.ts';

// The twins of tVal and of the functions in Go's exec_test.go, by the means of tshelm/go-template alone.

const u = (V: string): TypedValue =>
  struct('*template.U', { V }, { TrueFalse: typed('func(bool) string', (yes: boolean) => (yes ? 'true' : '')) });

const printed = (type: string, method: 'String' | 'Error', text: string): TypedValue =>
  struct(type, {}, { [method]: typed('func() string', () => text) });

export const buffer = printed('*bytes.Buffer', 'String', 'foozle');
export const emptyT = struct('template.T', {});

const bracketed = (a: string, b: string): string => `[${a}=${b}]`;
const joined = (texts: readonly string[]): string => `<${texts.join('+')}>`;

const methods = {
  Method0: typed('func() string', () => 'M0'),
  Method1: typed('func(int) int', (a: number) => a),
  Method2: typed('func(uint16, string) string', (a: number, b: string) => `Method2: ${a} ${b}`),
  Method3: typed('func(any) string', (value: string | null) => `Method3: ${value ?? '<nil>'}`),
  Copy: typed('func() *template.T', () => tVal()),
  MAdd: typed('func(int, []int) []int', (a: number, b: readonly number[]) => b.map((x) => x + a)),
  MyError: typed('func(bool) (bool, error)', (fails: boolean) => {
    if (fails) throw new Error('my error');
    return false;
  }),
  GetU: typed('func() *template.U', () => u('v')),
};

export const tVal = (): TypedValue =>
  struct(
    '*template.T',
    {
      True: true,
      I: 17,
      U16: typed('uint16', 16),
      X: 'x',
      S: 'xyz',
      FloatZero: typed('float64', 0),
      U: u('v'),
      V0: printed('template.V', 'String', '<6666>'),
      V1: printed('*template.V', 'String', '<7777>'),
      V2: printed('*template.V', 'String', 'nilV'),
      W0: printed('template.W', 'Error', '[888]'),
      W1: printed('*template.W', 'Error', '[999]'),
      W2: printed('*template.W', 'Error', 'nilW'),
      SI: typed('[]int', [3, 4, 5]),
      SICap: typed('[]int', [0, 0, 0, 0, 0]),
      SIEmpty: typed('[]int', null),
      SB: typed('[]bool', [true, false]),
      AI: typed('[3]int', [3, 4, 5]),
      PAI: typed('[3]int', [3, 4, 5]),
      MSI: typed('map[string]int', { one: 1, two: 2, three: 3 }),
      MSIone: typed('map[string]int', { one: 1 }),
      MSIEmpty: typed('map[string]int', null),
      MXI: { one: 1 },
      SMSI: typed('[]map[string]int', [
        { one: 1, two: 2 },
        { eleven: 11, twelve: 12 },
      ]),
      Empty0: null,
      Empty1: 3,
      Empty2: 'empty2',
      Empty3: typed('[]int', [7, 8]),
      Empty4: u('UinEmpty'),
      NonEmptyInterface: struct('*template.T', { X: 'x' }, methods),
      NonEmptyInterfacePtS: typed('[]string', ['a', 'b']),
      Str: buffer,
      Err: printed('*errors.errorString', 'Error', 'erroozle'),
      PI: 23,
      PS: 'a string',
      PSI: typed('[]int', [21, 22, 23]),
      BinaryFunc: typed('func(string, string) string', bracketed),
      VariadicFunc: typed('func(...string) string', joined),
      VariadicFuncInt: typed('func(int, ...string) string', (a: number, s: readonly string[]) => `${a}=${joined(s)}`),
      NilOKFunc: typed('func(any) bool', (value: unknown) => value === null),
      ErrFunc: typed('func() (string, error)', () => 'bla'),
    },
    methods,
  );

export const functions: Functions = {
  add: typed('func(...int) int', (numbers: readonly number[]) => numbers.reduce((sum, x) => sum + x, 0)),
  count: () => null,
  dddArg: typed('func(int, ...string) string', (a: number, b: readonly string[]) => `${a} [${b.join(' ')}]\n`),
  die: typed('func() bool', () => {
    throw new Error('die');
  }),
  echo: typed('func(any) any', (value: unknown) => value),
  makemap: typed('func(...string) map[string]string', (texts: readonly string[]) =>
    Object.fromEntries(texts.flatMap((key, at) => (at % 2 === 0 ? [[key, texts[at + 1]]] : []))),
  ),
  mapOfThree: typed('func() any', () => typed('map[string]int', { three: 3 })),
  oneArg: typed('func(string) string', (a: string) => `oneArg=${a}`),
  returnInt: typed('func() int', () => 7),
  stringer: typed('func(*bytes.Buffer) string', String),
  twoArgs: typed('func(string, string) string', (a: string, b: string) => `twoArgs=${a}${b}`),
  typeOf: typed('func(reflect.Value) string', (value: TypedValue) => value.goType),
  valueString: typed('func(string) string', () => 'value is ignored'),
  vfunc: typed('func(template.V, template.V) string', () => 'vfunc'),
  zeroArgs: typed('func() string', () => 'zeroArgs'),
};
