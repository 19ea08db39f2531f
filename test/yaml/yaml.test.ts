import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goInt, nilList, type Value } from '../../src/go/value.ts';
import {
  readOwnYaml,
  readPlainYaml,
  readYaml,
  writePlainYaml,
  writeYaml,
  writeYamlPretty,
  YamlError,
} from '../../src/yaml/index.ts';
import { expectedOutcome, type GoCase, goCases, outcome } from '../go/go-fixture.ts';
import { yamlOperations } from './operations.ts';

const run = (goCase: GoCase) => outcome(yamlOperations[goCase.operation] as (input: string) => string, goCase);

describe('reads and fails as sigs.k8s.io/yaml', () => {
  test.each(goCases('yaml/read.json'))('$operation $input', (goCase) =>
    expect(run(goCase)).toEqual(expectedOutcome(goCase)),
  );
});

describe('writes as sigs.k8s.io/yaml and its yaml.v3', () => {
  test.each(goCases('yaml/write.json'))('$operation $input', (goCase) =>
    expect(run(goCase)).toEqual(expectedOutcome(goCase)),
  );
});

describe('plain data', () => {
  test('keeps integers beyond the safe range', () =>
    expect(readPlainYaml('a: 9223372036854775807\nb: 7\nc: 1e3')).toEqual({ a: 9223372036854775807n, b: 7, c: 1000 }));

  test('has members of any name', () => {
    const object = readPlainYaml('__proto__: {a: 1}\nconstructor: 2') as object;
    expect(Object.keys(object)).toEqual(['__proto__', 'constructor']);
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  test('is written without what is undefined', () =>
    expect(writePlainYaml({ b: [1n, { d: undefined, c: null }], a: 18446744073709551615n })).toBe(
      'a: 18446744073709551615\nb:\n- 1\n- c: null\n',
    ));
});

describe('values of Go', () => {
  test.each<[string, Value, string]>([
    ['an int', goInt(7), '7\n'],
    ['bytes, in base64', Uint8Array.of(1, 2, 3), 'AQID\n'],
    ['a nil list', nilList(), 'null\n'],
    ['bytes that are not UTF-8', 'a\udcff', 'a\ufffd\n'],
  ])('%s', (_what, value, text) => expect(writeYaml(value)).toBe(text));

  test('yaml.v3 writes bytes that are not UTF-8 with a tag', () =>
    expect(writeYamlPretty(new Map([['a', 'a\udcff']]))).toBe('a: !!binary Yf8=\n'));

  test('what JSON cannot hold fails', () =>
    expect(() => writeYaml([Number.NaN])).toThrow('error marshaling into JSON: json: unsupported value: NaN'));
});

describe('places of errors', () => {
  test.each([
    ['a: 1\n b: [', 2, 3],
    ['a: [1\nb: 2', 2, 2],
    ['a: "\\q"', 1, 5],
    ['x: 1\ny: *z', 2, 4],
    ['a\x01', 1, 2],
  ])('%j', (text, line, column) => {
    const error = thrownBy(() => readYaml(text));
    expect(error).toBeInstanceOf(YamlError);
    expect(error).toMatchObject({ line, column });
  });
});

describe('bytes', () => {
  test.each([
    ['a: \udc80', 'error converting YAML to JSON: yaml: invalid leading UTF-8 octet'],
    ['a: \udcc3(', 'error converting YAML to JSON: yaml: invalid trailing UTF-8 octet'],
    ['a: \udcc3', 'error converting YAML to JSON: yaml: incomplete UTF-8 octet sequence'],
    ['a: \udcc0\udc80', 'error converting YAML to JSON: yaml: invalid length of a UTF-8 sequence'],
    ['a: \udced\udca0\udc80', 'error converting YAML to JSON: yaml: invalid Unicode character'],
  ])('%j', (text, message) => expect(() => readYaml(text)).toThrow(message));
});

test('UTF-16 is read where a byte order mark says so', () => {
  expect(readYaml('\udcff\udcfea\0:\0 \0b\0')).toEqual(new Map([['a', 'b']]));
  expect(readYaml('\udcfe\udcff\0a\0:\0 \0b')).toEqual(new Map([['a', 'b']]));
});

describe('hostile documents end with a clear error', () => {
  test.each([
    ['nested lists', '['.repeat(20_000), 'exceeded max depth'],
    ['nested maps', '{a: '.repeat(20_000), 'exceeded max depth'],
    ['nested entries', '- '.repeat(20_000), 'exceeded max depth'],
    ['aliases of aliases', billionLaughs(), 'document contains excessive aliasing'],
    ['an alias of itself', 'a: &a [*a]', "anchor 'a' value contains itself"],
  ])('%s', (_what, text, message) => expect(() => readYaml(text)).toThrow(message));

  test('a value that holds itself is not written, one that is only deep is', () => {
    const map = new Map<string, Value>();
    map.set('a', [map]);
    expect(() => writeYaml(map)).toThrow(
      'error marshaling into JSON: json: unsupported value: encountered a cycle via map[string]interface {}',
    );
    expect(() => writeYamlPretty(map)).toThrow('encountered a cycle via map[string]interface {}');
    let deep: Value = 'end';
    for (let depth = 0; depth < 1500; depth++) deep = [deep];
    expect(writeYaml(deep)).toBe(`${'- '.repeat(1500)}end\n`);
    expect(writeYamlPretty(deep)).toBe(`${'- '.repeat(1500)}end\n`);
  });
});

function billionLaughs(): string {
  const lines = ['a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]'];
  for (let level = 1; level < 10; level++) {
    lines.push(
      `a${level}: &a${level} [${Array<string>(9)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    );
  }
  return lines.join('\n');
}

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

const numRuns = Number(process.env['TSHELM_FUZZ_RUNS'] ?? 300);
const timeout = 20_000 + numRuns * 10;

describe('any text and any value', () => {
  const words = 'a|b: |: |- |"|[|]|{|}|, |? |&a |*a|!!str |!x |#|%|<<: |1|0x1|.inf|~|\\|@|é|😀'.split('|');
  const breaks = ["'", '\n', '\n  ', '|\n', '>-\n', '---\n', '...\n', '\t', '\r\n', '\x85', '\u2028'];
  const pieces = fc.constantFrom(...words, ...breaks);
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  );

  test('a text is read, or refused with a YamlError', { timeout }, () =>
    fc.assert(
      fc.property(texts, (text) => {
        const error = thrownBy(() => readYaml(text));
        expect(error === undefined || error instanceof YamlError).toBe(true);
      }),
      { numRuns },
    ),
  );

  const scalars = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('').replaceAll('\x85', '')),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
    fc.boolean(),
    fc.constant(null),
  );
  // Go writes the key << without quotes, and then reads it as a merge key.
  const keys = fc.string({ maxLength: 20 }).filter((key) => key !== '<<');
  const { value: values } = fc.letrec<{ value: Value }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      scalars,
      fc.array(tie('value'), { maxLength: 5 }),
      fc.array(fc.tuple(keys, tie('value')), { maxLength: 5 }).map((pairs) => new Map(pairs)),
    ),
  }));

  test('what is written reads back as the same value', { timeout }, () =>
    fc.assert(
      fc.property(values, (value) => {
        expect(readYaml(writeYaml(value))).toEqual(value);
      }),
      { numRuns },
    ),
  );
});

describe('a file of one document', () => {
  test.each(['a: 1', '---\na: 1\n', 'a: 1\n---\n', 'a: 1\n...\n', '# first\n---\n# nothing\na: 1\n--- # end\n'])(
    '%j',
    (text) => expect(readOwnYaml(text)).toEqual({ a: 1 }),
  );

  test.each([
    ['a: 1\n---\nb: 2\n', 3],
    ['---\na: 1\n---\n# a remark\nb: 2\n', 5],
    ['a: 1\n...\n---\n- b\n', 4],
    ['- a\n---\n---\nb\n', 4],
  ])('%j has another in line %i', (text, line) =>
    expect(() => readOwnYaml(text)).toThrow(`line ${line}: the file is one document, and another one begins here`),
  );
});
