import fc from 'fast-check';

/** The data of random templates, encoded as in cases.json. */
export const fuzzData = {
  a: { b: { c: 'x' }, n: null },
  list: [1, 'two', null, { k: 'v' }],
  text: 'héllo',
  int: { $int: '7' },
  strings: { $strings: ['p', 'q'] },
  user: { $user: { Name: 'Ann', Age: 1, Tags: [], Next: null } },
  level: { $level: 'high' },
};

// biome-ignore format: one group of pieces on a line
const pieces = [
  '{{', '}}', '{{-', '-}}', ' ', '\n', '(', ')', '|', ',', '$', '$x', ':=', '=', '.', '"', '`', "'", '\\', '/*', '*/',
  'if', 'else', 'end', 'range', 'with', 'define', 'block', 'template', 'break', 'continue', 'nil', 'true',
  '.a', '.a.b', '.a.n', '.list', '.text', '.int', '.strings', '.user', '.user.Greet', '.level', '.absent', '.b.c',
  '0', '1', '-1', '1.5', '0x1F', '1e9', '1i', '9223372036854775807', '"s"', '"t"', '`r`', "'c'", '"%v %d %s %q"',
  'and', 'or', 'not', 'eq', 'lt', 'len', 'index', 'slice', 'print', 'printf', 'html', 'js', 'urlquery', 'call',
  'upper', 'list', 'dict', 'same', 'none', 'count', 'join', 'split', 'sum', 'half', 'include', 'getSum', 'fail',
  '{{if .a}}', '{{range .list}}', '{{with .a}}', '{{else}}', '{{end}}', '{{$x := .list}}', '{{define "t"}}', '☃', '\udcff',
];

const tokens = fc.array(fc.constantFrom(...pieces), { maxLength: 40 });
const separator = fc.constantFrom('', ' ', ' ');
const soup = fc.tuple(tokens, separator).map(([parts, between]) => parts.join(between));
const anything = fc.string({ unit: 'binary', maxLength: 60 }).map((text) => `{{${text}}}`);

/** Templates that parse: expressions put together by the grammar. */
const operand = fc.letrec<{ operand: string }>((tie) => ({
  operand: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      '.',
      '$',
      '.a',
      '.a.b',
      '.a.n',
      '.list',
      '.text',
      '.int',
      '.user',
      '.level',
      '.absent',
      '1',
      '-2.5',
      '"s"',
      'nil',
      'true',
    ),
    fc
      .tuple(
        fc.constantFrom(
          'print',
          'index',
          'len',
          'eq',
          'lt',
          'and',
          'or',
          'not',
          'printf "%v|%5d|%-3s"',
          'slice',
          'list',
          'dict',
          'sum',
          'upper',
          'call',
          'html',
          '.user.Greet',
          'include "t"',
        ),
        fc.array(tie('operand'), { maxLength: 3 }),
      )
      .map(([name, args]) => `(${[name, ...args].join(' ')})`),
    fc.tuple(tie('operand'), fc.constantFrom('.b', '.k.l', '.Name')).map(([value, field]) => `(${value})${field}`),
  ),
})).operand;
const statement = fc.letrec<{ statement: string }>((tie) => ({
  statement: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('text ', '\n', '{{/* c */ -}} ', '{{template "d" .}}'),
    operand.map((value) => `{{ ${value} }}`),
    fc.tuple(operand, operand).map(([a, b]) => `{{ $x := ${a} }}{{ $x = ${b} }}{{ $x }}`),
    fc
      .tuple(fc.constantFrom('if', 'with', 'range', 'range $i, $e :='), operand, tie('statement'), tie('statement'))
      .map(([keyword, value, body, other]) => `{{${keyword} ${value}}}${body}{{else}}${other}{{end}}`),
  ),
})).statement;
const wellFormed = fc
  .array(statement, { maxLength: 5 })
  .map((statements) => `{{define "d"}}<{{.}}>{{end}}${statements.join('')}`);

/** Sources of templates: token soup, any characters, and templates that parse. */
export const templateSource = fc.oneof(soup, anything, wellFormed);

export const missingKeyMode = fc.constantFrom('default' as const, 'zero' as const, 'error' as const);
