import { describe, expect, test } from 'vitest';
import { maskText } from '../../src/support/secret-text.ts';
import { harmlessMessages, harmlessTexts, secretsInFiles, secretsInMessages } from './secret-texts.ts';

const plainOf = (text: string): string => text.replace(/[‹›]/g, '');
const maskedOf = (text: string): string => text.replace(/‹[^›]*›/g, '***');
const inFile = { isDocument: true };

test('the table is as large as it should be', () => {
  expect(secretsInFiles.length + secretsInMessages.length).toBeGreaterThanOrEqual(200);
  expect(harmlessTexts.length + harmlessMessages.length).toBeGreaterThanOrEqual(200);
});

describe('a secret is masked, and all else stays', () => {
  test.each(secretsInFiles)('in a file: %s', (text) => expect(maskText(plainOf(text), inFile)).toBe(maskedOf(text)));
  test.each(secretsInMessages)('in a message: %s', (text) => expect(maskText(plainOf(text))).toBe(maskedOf(text)));
});

describe('what is no secret stays', () => {
  test.each(harmlessTexts)('in a file: %s', (text) => expect(maskText(text, inFile)).toBe(text));
  test.each([...harmlessTexts, ...harmlessMessages])('in a message: %s', (text) => expect(maskText(text)).toBe(text));
});

test.each([...secretsInFiles, ...secretsInMessages])('masked twice is masked once: %s', (text) => {
  expect(maskText(maskedOf(text), inFile)).toBe(maskedOf(text));
  const marked = maskedOf(text).replaceAll('***', '*** (before)');
  expect(maskText(marked, inFile)).toBe(marked);
});
