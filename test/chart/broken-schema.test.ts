import { describe, expect, test } from 'vitest';
import { brokenSchema } from '../../src/chart/broken-schema.ts';
import { schemaFindings } from '../../src/chart/validate-values.ts';
import type { JsonMistake } from '../../src/problem/chart-fact.ts';
import type { FilePlace } from '../../src/problem/place.ts';
import { Quote } from '../../src/problem/quote.ts';
import { quoted } from '../../src/words/quote.ts';

/** `LINE:COLUMN`, the fact (the validator's words as a text), and what to write instead. */
type Mistake = readonly [at: string, fact: object, to?: string];

/** What is found by the words that the validator has for the schema. */
async function mistakesOf(text: string): Promise<readonly Mistake[]> {
  const schema = Buffer.from(text);
  const download = (): Promise<Uint8Array> => Promise.reject(new Error('no route'));
  const words = await schemaFindings(schema, new Map(), { download });
  expect(words).not.toBe('');
  return brokenSchema({ file: 'shop/values.schema.json', schema }, words).map(
    ({ places, cause, remedies }): Mistake => {
      const [place] = places as readonly FilePlace[];
      expect(place?.file).toBe('shop/values.schema.json');
      const fact = Object.fromEntries(
        Object.entries(cause).map(([key, value]) => [key, value instanceof Quote ? quoted(value) : value]),
      );
      const [to] = remedies.flatMap((remedy) => (remedy.kind === 'change-text' ? [remedy.to] : []));
      return [`${place?.line}:${place?.column}`, fact, ...(to === undefined ? ([] as const) : ([to] as const))];
    },
  );
}

describe('a schema that is no JSON', () => {
  test.each<[string, string, string, JsonMistake]>([
    ['nothing', '', '1:1', 'empty'],
    ['a comma at the end', '{\n  "a": 1,\n}', '2:9', 'trailing-comma'],
    ['a comma at the end of a list', '{"a": [1,]}', '1:9', 'trailing-comma'],
    ['no comma', '{\n  "a": "é"\n  "b": 1\n}', '2:10', 'comma-missing'],
    ['no comma in a list', '[1 2]', '1:2', 'comma-missing'],
    ['no colon', '{"a" 1}', '1:4', 'colon-missing'],
    ['a bare key', '{a: 1}', '1:2', 'key-not-quoted'],
    ['a comment', '{\n  // a\n}', '2:3', 'comment'],
    ['single quotes', "{'a': 1}", '1:2', 'single-quote'],
    ['an open text', '{"a": "x\n}', '1:9', 'text-open'],
    ['an open bracket', '{"a": {\n  "b": [1]\n', '1:7', 'bracket-open'],
    ['a bracket too many', '{}\n}', '2:1', 'text-after-end'],
  ])('%s', async (_what, text, at, mistake) =>
    expect(await mistakesOf(text)).toEqual([[at, expect.objectContaining({ code: 'schema-not-json', mistake })]]),
  );

  test('anything else, in the words of Go', async () => {
    const words = "invalid character '}' in literal null (expecting 'l')";
    expect(await mistakesOf('{"a": nul}')).toEqual([['1:10', { code: 'schema-not-json', words }]]);
  });
});

describe('a schema that JSON Schema does not allow', () => {
  const keyword = (path: string, value: string | undefined, words: string): object => ({
    code: 'schema-keyword',
    path: path === '' ? [] : path.split('.'),
    value,
    words,
  });
  const property = (rule: string): string => `{\n  "properties": {\n    "a": ${rule}\n  }\n}`;
  const types = "value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'";
  const unreadable = "'(' is not valid regex: error parsing regexp: missing closing ): `(`";

  test.each<[string, string, object, ...string[]]>([
    ['a type of other languages', '{"type": "int"}', keyword('properties.a.type', '"int"', types), '"integer"'],
    ['a misspelt type', '{"type": "strng"}', keyword('properties.a.type', '"strng"', types), '"string"'],
    [
      'required of a property',
      '{"required": true}',
      keyword('properties.a.required', 'true', 'got boolean, want array'),
    ],
    ['a broken pattern', '{"pattern": "("}', keyword('properties.a.pattern', '"("', unreadable)],
  ])('%s', async (_what, rule, fact, ...to) =>
    expect(await mistakesOf(property(rule))).toEqual([['3:11', fact, ...to]]),
  );

  test('each mistake is told', async () => {
    expect(await mistakesOf('{\n "type": "map",\n "items": {"minimum": "1"}\n}')).toEqual([
      ['2:2', keyword('type', '"map"', types), '"object"'],
      ['3:12', keyword('items.minimum', '"1"', 'got string, want number')],
    ]);
  });

  test('a list', async () => {
    expect(await mistakesOf('[]')).toEqual([['1:1', keyword('', undefined, 'got array, want boolean or object')]]);
  });
});

describe('a reference to what is not there', () => {
  const refers = (to: string, rest = ''): string => `{\n  "properties": {"a": {"$ref": "${to}"}}${rest}\n}`;

  test.each<[string, string, string, string, ...string[]]>([
    ['a definition', '#/$defs/port', '', 'not-found'],
    ['a misspelt one', '#/$defs/prot', ', "$defs": {"port": {}}', 'not-found', '"#/$defs/port"'],
    [
      'one of another name of definitions',
      '#/$defs/port',
      ', "definitions": {"port": {}}',
      'not-found',
      '"#/definitions/port"',
    ],
    ['another file', 'none-such.json#/a', '', 'other-file'],
    ['a URL', 'https://example.com/a.json', '', 'not-fetched'],
  ])('%s', async (_what, ref, rest, why, ...to) => {
    const fact = { code: 'schema-reference', path: ['properties', 'a', '$ref'], value: JSON.stringify(ref), why };
    expect(await mistakesOf(refers(ref, rest))).toEqual([['2:24', fact, ...to]]);
  });
});
