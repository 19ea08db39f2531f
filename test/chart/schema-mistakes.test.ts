import { describe, expect, test } from 'vitest';
import { schemaMistakes } from '../../src/chart/schema-mistakes.ts';
import { schemaFindings } from '../../src/chart/validate-values.ts';

/** `LINE:COLUMN TEXT; FIX` of each mistake, found by the words that the validator has for the schema. */
async function mistakesOf(text: string): Promise<readonly string[]> {
  const schema = Buffer.from(text);
  const download = (): Promise<Uint8Array> => Promise.reject(new Error('no route'));
  const words = await schemaFindings(schema, new Map(), { download });
  expect(words).not.toBe('');
  return schemaMistakes({ file: 'shop/values.schema.json', schema }, words).map(({ place, text: what, fix }) => {
    expect(place.file).toBe('shop/values.schema.json');
    return `${place.line}:${place.column} ${what}${fix === undefined ? '' : `; ${fix}`}`;
  });
}

describe('a schema that is no JSON', () => {
  test.each([
    ['nothing', '', '1:1 the schema is empty; write {} or remove the file'],
    [
      'a comma at the end',
      '{\n  "a": 1,\n}',
      '2:9 the schema is no JSON: nothing follows this comma but }; remove the comma',
    ],
    [
      'a comma at the end of a list',
      '{"a": [1,]}',
      '1:9 the schema is no JSON: nothing follows this comma but ]; remove the comma',
    ],
    [
      'no comma',
      '{\n  "a": "é"\n  "b": 1\n}',
      '2:10 the schema is no JSON: what follows this is no , and no }; write a comma after it',
    ],
    [
      'no comma in a list',
      '[1 2]',
      '1:2 the schema is no JSON: what follows this is no , and no ]; write a comma after it',
    ],
    ['no colon', '{"a" 1}', '1:4 the schema is no JSON: no : follows this key; write a colon after it'],
    ['a bare key', '{a: 1}', '1:2 the schema is no JSON: a key stands in double quotes; put it in quotes'],
    [
      'a comment',
      '{\n  // a\n}',
      '2:3 the schema is no JSON: a comment stands here; remove it, or write it as "$comment"',
    ],
    ['single quotes', "{'a': 1}", '1:2 the schema is no JSON: texts stand in double quotes; write " instead of \''],
    ['an open text', '{"a": "x\n}', '1:9 the schema is no JSON: this line ends within a text; close the text with "'],
    [
      'an open bracket',
      '{"a": {\n  "b": [1]\n',
      '1:7 the schema is no JSON: the { here is never closed; add the missing }',
    ],
    [
      'a bracket too many',
      '{}\n}',
      '2:1 the schema is no JSON: it has ended before this; remove what follows, or the bracket that is too many before it',
    ],
    [
      'anything else',
      '{"a": nul}',
      "1:10 the schema is no JSON: invalid character '}' in literal null (expecting 'l')",
    ],
  ])('%s', async (_what, text, mistake) => expect(await mistakesOf(text)).toEqual([mistake]));
});

describe('a schema that JSON Schema does not allow', () => {
  const property = (rule: string): string => `{\n  "properties": {\n    "a": ${rule}\n  }\n}`;

  test.each([
    [
      'a type of other languages',
      '{"type": "int"}',
      '3:11 properties.a.type is "int", which JSON Schema does not know; write "integer"',
    ],
    [
      'a misspelt type',
      '{"type": "strng"}',
      '3:11 properties.a.type is "strng", which JSON Schema does not know; write "string"',
    ],
    [
      'required of a property',
      '{"required": true}',
      '3:11 properties.a.required is a boolean but must be an array; beside "properties" write "required": ["a"]',
    ],
    [
      'a broken pattern',
      '{"pattern": "("}',
      "3:11 properties.a.pattern: '(' is not valid regex: error parsing regexp: missing closing ): `(`",
    ],
  ])('%s', async (_what, rule, mistake) => expect(await mistakesOf(property(rule))).toEqual([mistake]));

  test('each mistake is told', async () => {
    expect(await mistakesOf('{\n "type": "map",\n "items": {"minimum": "1"}\n}')).toEqual([
      '2:2 type is "map", which JSON Schema does not know; write "object"',
      '3:12 items.minimum is a string but must be a number',
    ]);
  });

  test('a list', async () => {
    expect(await mistakesOf('[]')).toEqual(['1:1 the schema is an array but must be a boolean or an object']);
  });
});

describe('a reference to what is not there', () => {
  const refers = (to: string, rest = ''): string => `{\n  "properties": {"a": {"$ref": "${to}"}}${rest}\n}`;

  test.each([
    [
      'a definition',
      refers('#/$defs/port'),
      '2:24 properties.a.$ref is "#/$defs/port", and nothing is there; correct it, or add "port" to "$defs"',
    ],
    [
      'a misspelt one',
      refers('#/$defs/prot', ', "$defs": {"port": {}}'),
      '2:24 properties.a.$ref is "#/$defs/prot", and nothing is there; write "#/$defs/port"',
    ],
    [
      'one of another name of definitions',
      refers('#/$defs/port', ', "definitions": {"port": {}}'),
      '2:24 properties.a.$ref is "#/$defs/port", and nothing is there; write "#/definitions/port"',
    ],
    [
      'another file',
      refers('none-such.json#/a'),
      '2:24 properties.a.$ref is "none-such.json#/a": other files of the chart are not looked for, only /none-such.json on this machine; copy what it refers to into "$defs" of this file, and refer to it by "#/$defs/NAME"',
    ],
    [
      'a URL',
      refers('https://example.com/a.json'),
      '2:24 properties.a.$ref is "https://example.com/a.json", which cannot be fetched; correct the URL, or copy what it refers to into "$defs" of this file',
    ],
  ])('%s', async (_what, text, mistake) => expect(await mistakesOf(text)).toEqual([mistake]));
});
