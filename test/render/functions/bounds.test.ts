import { describe, expect, test } from 'vitest';
import { boundFunctions, fixedFunctions } from '../../../src/render/functions/table.ts';
import { TemplateSet } from '../../../src/template/template-set.ts';

const now = new Date('2026-01-02T03:04:05.678Z');
let drawn = 0;
let asked = 0;

const functions = boundFunctions({
  now: () => now,
  randomBytes: (count) => {
    asked += 1;
    return Uint8Array.from({ length: count }, () => (drawn += 37) % 256);
  },
  enableDns: false,
  timeZone: 'UTC',
});

function render(template: string): string {
  const set = new TemplateSet({ functions, base: fixedFunctions, missingKey: 'zero' });
  set.parse('case', template);
  return set.execute('case', new Map());
}

describe('what would fill the memory is refused', () => {
  test.each([
    ['repeat', '{{ repeat 1000000000 "ab" }}'],
    ['randAlphaNum', '{{ randAlphaNum 1000000000 }}'],
    ['randBytes', '{{ randBytes 1000000000 }}'],
    ['repeat of a long text', '{{ repeat 60000000 "a" | repeat 2 }}'],
    ['indent', '{{ indent 1000000000 "a" }}'],
    ['indent of many lines', '{{ indent 1000000 (repeat 1000 "a\\n") }}'],
    ['nindent', '{{ nindent 1000000000 "a" }}'],
    ['replace', '{{ replace "" (repeat 1000000 "b") (repeat 1000 "a") }}'],
    ['join', '{{ join (repeat 1000000 "b") (until 1000) }}'],
    ['wrapWith', '{{ wrapWith 1 (repeat 1000000 "b") (repeat 1000 "a") }}'],
    ['regexReplaceAll', '{{ regexReplaceAll "a" (repeat 1000 "a") (repeat 1000000 "b") }}'],
    ['regexReplaceAll with groups', '{{ regexReplaceAll "(.+)" (repeat 100000 "a") (repeat 1000 "$1") }}'],
  ])('%s', (_function, template) => {
    expect(() => render(template)).toThrow(/error calling \w+: the result would be \d+ characters long/);
  });

  test.each([
    [
      'toYaml of lists that hold lists twice',
      '{{ $l := list 1 }}{{ range until 40 }}{{ $l = list $l $l }}{{ end }}{{ toYaml $l }}',
    ],
    [
      'toYamlPretty of them',
      '{{ $l := list 1 }}{{ range until 40 }}{{ $l = list $l $l }}{{ end }}{{ toYamlPretty $l }}',
    ],
    ['until', '{{ until 2000000000 }}'],
    ['until below zero', '{{ until -2000000000 }}'],
    ['untilStep', '{{ untilStep 0 9223372036854775807 1 }}'],
    ['seq', '{{ seq 2000000000 }}'],
    [
      'toJson of lists within lists',
      '{{ $x := list 1 }}{{ range until 60 }}{{ $x = list $x $x }}{{ end }}{{ toJson $x }}',
    ],
    [
      'toJson of dicts within dicts',
      '{{ $x := 1 }}{{ range until 60 }}{{ $x = dict "a" $x "b" $x }}{{ end }}{{ toJson $x }}',
    ],
    ['deepCopy', '{{ $x := list 1 }}{{ range until 60 }}{{ $x = list $x $x }}{{ end }}{{ deepCopy $x }}'],
    ['print', '{{ $x := list 1 }}{{ range until 60 }}{{ $x = list $x $x }}{{ end }}{{ print $x }}'],
    ['concat', '{{ $x := until 1000 }}{{ range until 40 }}{{ $x = concat $x $x }}{{ end }}'],
    ['seq with a step', '{{ seq 0 2 2000000000 }}'],
  ])('%s', (_function, template) => {
    expect(() => render(template)).toThrow(/error calling \w+: the result would have \d+ items/);
  });

  test('a long but reasonable result is made', () => {
    expect(render('{{ repeat 1000000 "ab" | len }} {{ until 100000 | len }}')).toBe('2000000 100000');
  });
});

// What Helm v4.3.1 makes of the same 1.3 million characters.
test.each([
  ['kebabcase', '1a6b71ed87c0e4605dce2077f40f265b51acf346f5820a64e88d1d9b895c10d1'],
  ['snakecase', 'a593c95c7bd71e61e0cda40c329f92f7ded592558d2d077d11b40f5d81f35c66'],
  ['camelcase', 'dfada6b4a00c6733a9a8b14255aedafd95ecda0ae70780232a54cae0c5374f08'],
  ['swapcase', '036a08cf2b869b20737b535c608e60918cba74dec9fa179554965538d46ab7aa'],
  ['title', '8f07c901df42b5567f0b535acdcec5a16e29387257e5fc319feb2909413c6de2'],
  ['untitle', 'ecb2263bf2badb81800de67138776542b9cbc44acd1df914326e0ec78e169c5c'],
  ['initials', 'e26aea22a3729b44a0bef98c6d485dec365a2ce76c9cfd94037a03c838b96e15'],
])('%s of a long text', (name, hash) => {
  const text = 'repeat 30000 "HelloWorld fooBar-baz_Qux9 ÄÖü HTTPServer "';
  expect(render(`{{ ${text} | ${name} | sha256sum }}`)).toBe(hash);
});

describe('the environment is the only source of time and chance', () => {
  test.each([
    ['now', '{{ now.Format "2006-01-02T15:04:05.000Z07:00" }}', '2026-01-02T03:04:05.678Z'],
    ['date of something else', '{{ date "2006-01-02 15:04" "text" }}', '2026-01-02 03:04'],
    ['htmlDate of nil', '{{ htmlDate nil }}', '2026-01-02'],
    ['ago, an int', '{{ ago 1767323040 }}', '6s'],
    ['ago, a time', '{{ ago (now | dateModify "-90m") }}', '1h30m0s'],
    ['durationRound of a time', '{{ durationRound (now | dateModify "-50h") }}', '2d'],
  ])('%s', (_function, template, output) => expect(render(template)).toBe(output));

  test('shuffle keeps the letters', () => {
    const shuffled = render('{{ shuffle "abcdefghij😀" }}');
    expect([...shuffled].sort().join('')).toBe('abcdefghij😀');
    expect(shuffled).not.toBe('abcdefghij😀');
  });

  test('a long shuffle asks for random bytes in blocks', () => {
    asked = 0;
    render('{{ shuffle (repeat 20000 "ab") }}');
    expect(asked).toBeLessThan(100);
  });

  test('randInt reaches both ends of its range, and nothing beyond', () => {
    const numbers = new Set(render('{{ range until 400 }}{{ randInt -1 2 }} {{ end }}').trim().split(' '));
    expect([...numbers].sort()).toEqual(['-1', '0', '1']);
  });
});

test('env and expandenv are not there, as in Helm', () => {
  expect(() => render('{{ env "HOME" }}')).toThrow('function "env" not defined');
  expect(() => render('{{ expandenv "$HOME" }}')).toThrow('function "expandenv" not defined');
});
