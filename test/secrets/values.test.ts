import { expect, test } from 'vitest';
import { readValues } from '../../src/chart/values-file.ts';
import { firstReference } from '../../src/secrets/values.ts';

test.each([
  ['a reference to a backend of vals', 'a: {b: ref+vault://secret/db#/password}', ['a', 'b']],
  ['one in a list', 'a: [x, secretref+awssecrets://db]', ['a', '1']],
  ['the first of several', 'a: x\nb: ref+echo://xx\nc: ref+echo://yy', ['b']],
  ['a scheme that vals does not have', 'a: ref+mine://x', undefined],
  ['a reference to nothing', 'a: ref+vault://', undefined],
  ['what vals takes for no reference', 'a: ref+echo://x', undefined],
  ['a sentence about one', 'a: write ref+vault://secret/db', undefined],
  ['a key', 'ref+vault://x: a', undefined],
])('%s', (_rule, text, keys) => expect(firstReference(readValues(Buffer.from(text)))).toEqual(keys));
