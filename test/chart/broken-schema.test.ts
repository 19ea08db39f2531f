import { describe, expect, test } from 'vitest';
import { brokenSchema } from '../../src/chart/broken-schema.ts';
import { schemaFindings } from '../../src/chart/validate-values.ts';
import type { FilePlace } from '../../src/problem/place.ts';
import { factText } from '../../src/words/fact.ts';
import { remedyText } from '../../src/words/remedy.ts';

/** `LINE:COLUMN TEXT; FIX` of each mistake, found by the words that the validator has for the schema. */
async function mistakesOf(text: string): Promise<readonly string[]> {
  const schema = Buffer.from(text);
  const download = (): Promise<Uint8Array> => Promise.reject(new Error('no route'));
  const words = await schemaFindings(schema, new Map(), { download });
  expect(words).not.toBe('');
  return brokenSchema({ file: 'shop/values.schema.json', schema }, words).map(({ places, cause, remedies }) => {
    const [place] = places as readonly FilePlace[];
    expect(place?.file).toBe('shop/values.schema.json');
    const [fix] = remedies.filter(({ kind }) => kind === 'change-text').map(remedyText);
    return `${place?.line}:${place?.column} ${factText(cause)}${fix === undefined ? '' : `; ${fix}`}`;
  });
}

describe('a schema that is no JSON', () => {
  test.each([
    ['nothing', '', '1:1 the schema is not JSON: it is empty; write {} or remove the file'],
    ['a comma at the end', '{\n  "a": 1,\n}', '2:9 the schema is not JSON: remove this comma, which nothing follows'],
    [
      'a comma at the end of a list',
      '{"a": [1,]}',
      '1:9 the schema is not JSON: remove this comma, which nothing follows',
    ],
    ['no comma', '{\n  "a": "é"\n  "b": 1\n}', '2:10 the schema is not JSON: add a comma here'],
    ['no comma in a list', '[1 2]', '1:2 the schema is not JSON: add a comma here'],
    ['no colon', '{"a" 1}', '1:4 the schema is not JSON: add a colon here'],
    ['a bare key', '{a: 1}', '1:2 the schema is not JSON: put this key in double quotes'],
    ['a comment', '{\n  // a\n}', '2:3 the schema is not JSON: remove this comment, or write it as "$comment"'],
    ['single quotes', "{'a': 1}", '1:2 the schema is not JSON: write " instead of \''],
    ['an open text', '{"a": "x\n}', '1:9 the schema is not JSON: close the text in this line with "'],
    ['an open bracket', '{"a": {\n  "b": [1]\n', '1:7 the schema is not JSON: this bracket is never closed'],
    ['a bracket too many', '{}\n}', '2:1 the schema is not JSON: remove what follows its end'],
    [
      'anything else',
      '{"a": nul}',
      "1:10 the schema is not JSON: invalid character '}' in literal null (expecting 'l')",
    ],
  ])('%s', async (_what, text, mistake) => expect(await mistakesOf(text)).toEqual([mistake]));
});

describe('a schema that JSON Schema does not allow', () => {
  const property = (rule: string): string => `{\n  "properties": {\n    "a": ${rule}\n  }\n}`;

  test.each([
    [
      'a type of other languages',
      '{"type": "int"}',
      `3:11 properties.a.type is "int": value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'; write "integer" instead of "int"`,
    ],
    [
      'a misspelt type',
      '{"type": "strng"}',
      `3:11 properties.a.type is "strng": value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'; write "string" instead of "strng"`,
    ],
    ['required of a property', '{"required": true}', '3:11 properties.a.required is true: got boolean, want array'],
    [
      'a broken pattern',
      '{"pattern": "("}',
      '3:11 properties.a.pattern is "(": \'(\' is not valid regex: error parsing regexp: missing closing ): `(`',
    ],
  ])('%s', async (_what, rule, mistake) => expect(await mistakesOf(property(rule))).toEqual([mistake]));

  test('each mistake is told', async () => {
    expect(await mistakesOf('{\n "type": "map",\n "items": {"minimum": "1"}\n}')).toEqual([
      `2:2 type is "map": value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'; write "object" instead of "map"`,
      '3:12 items.minimum is "1": got string, want number',
    ]);
  });

  test('a list', async () => {
    expect(await mistakesOf('[]')).toEqual(['1:1 the schema: got array, want boolean or object']);
  });
});

describe('a reference to what is not there', () => {
  const refers = (to: string, rest = ''): string => `{\n  "properties": {"a": {"$ref": "${to}"}}${rest}\n}`;

  test.each([
    ['a definition', refers('#/$defs/port'), '2:24 properties.a.$ref is "#/$defs/port", which is not in the schema'],
    [
      'a misspelt one',
      refers('#/$defs/prot', ', "$defs": {"port": {}}'),
      '2:24 properties.a.$ref is "#/$defs/prot", which is not in the schema; write "#/$defs/port" instead of "#/$defs/prot"',
    ],
    [
      'one of another name of definitions',
      refers('#/$defs/port', ', "definitions": {"port": {}}'),
      '2:24 properties.a.$ref is "#/$defs/port", which is not in the schema; write "#/definitions/port" instead of "#/$defs/port"',
    ],
    [
      'another file',
      refers('none-such.json#/a'),
      '2:24 properties.a.$ref is "none-such.json#/a", but other files of the chart are not read; copy it into "$defs" of this file',
    ],
    [
      'a URL',
      refers('https://example.com/a.json'),
      '2:24 properties.a.$ref is "https://example.com/a.json", which cannot be fetched',
    ],
  ])('%s', async (_what, text, mistake) => expect(await mistakesOf(text)).toEqual([mistake]));
});
