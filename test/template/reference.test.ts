import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { encodeText } from '../../src/support/text.ts';
import { TemplateError } from '../../src/template/error.ts';
import { type Case, decodeValue, renderCase } from './reference-values.ts';

interface Result {
  readonly text?: string;
  /** The text, where it is not UTF-8. */
  readonly base64?: string;
  readonly error?: string;
}

const read = <T>(name: string): T => JSON.parse(readFileSync(`fixtures/template/${name}`, 'utf8')) as T;
const { data, cases } = read<{ data: Record<string, unknown>; cases: Case[] }>('cases.json');
const { results } = read<{ go: string; results: Result[] }>('expected.json');

function resultOf(each: Case): Result {
  try {
    const text = renderCase(each, decodeValue(data[each.data ?? 'default']));
    const bytes = Buffer.from(encodeText(text));
    return bytes.equals(Buffer.from(bytes.toString('utf8'))) ? { text } : { base64: bytes.toString('base64') };
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.message.replace(/\p{Surrogate}+/gu, '\ufffd') };
    throw error;
  }
}

test('every case of cases.json gives what Go gives, texts and errors', () => {
  const different = cases.flatMap((each, index) => {
    const ours = resultOf(each);
    const go = results[index];
    return JSON.stringify(ours) === JSON.stringify(go) ? [] : [{ ...each, go, ours }];
  });
  expect(different).toEqual([]);
  expect(cases.length).toBe(results.length);
});
