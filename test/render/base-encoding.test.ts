import { describe, expect, test } from 'vitest';
import { decodeText } from '../../src/go/text.ts';
import { decodeBase32, encodeBase32 } from '../../src/render/encoding/base32.ts';
import { decodeBase64, encodeBase64 } from '../../src/render/encoding/base64.ts';
import { expectedOutcome, type GoCase, goCases, outcome } from '../go/go-fixture.ts';

const operations: Readonly<Record<string, (input: string) => string>> = {
  decodeBase64: (input) => decodeText(decodeBase64(input)),
  decodeBase32: (input) => decodeText(decodeBase32(input)),
};
const run = (goCase: GoCase) => outcome(operations[goCase.operation] as (input: string) => string, goCase);

describe('as encoding/base64 and encoding/base32', () => {
  test.each(goCases('base64/decode.json'))('$operation $input', (goCase) =>
    expect(run(goCase)).toEqual(expectedOutcome(goCase)),
  );
});

test.each([
  ['', '', ''],
  ['f', 'Zg==', 'MY======'],
  ['fo', 'Zm8=', 'MZXQ===='],
  ['foo', 'Zm9v', 'MZXW6==='],
  ['foob', 'Zm9vYg==', 'MZXW6YQ='],
  ['fooba', 'Zm9vYmE=', 'MZXW6YTB'],
  ['foobar', 'Zm9vYmFy', 'MZXW6YTBOI======'],
  ['\udcff', '/w==', '74======'],
])('%j is written as RFC 4648 says', (text, base64, base32) => {
  expect(encodeBase64(text)).toBe(base64);
  expect(encodeBase32(text)).toBe(base32);
});
