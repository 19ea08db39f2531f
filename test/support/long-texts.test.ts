import { expect, test } from 'vitest';
import { readEntries } from '../../src/actions/manifest-diff/entries.ts';
import { secretsInManifest } from '../../src/execute/secret-mask.ts';
import { quantityOf } from '../../src/go/quantity.ts';
import { pemBlock } from '../../src/render/certificates/pem.ts';
import { plainText } from '../../src/source/repository/index-pattern.ts';
import { parseJson } from '../../src/support/exact-json.ts';
import { printableLine } from '../../src/support/printable.ts';

const long = 1_000_000;
const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: hunter22}\n';

/** Of time that grows with the square of a length, each would take minutes. */
test.each<[string, () => unknown, unknown]>([
  ['one line of blanks', () => printableLine(`a${'\t'.repeat(long)}b\x1b`).length, long + 2],
  [
    'JSON with a string that never ends',
    () => () => parseJson(`[1234567890123456789, ${'"\\'.repeat(long / 2)}`),
    undefined,
  ],
  [
    'blank lines before the name of an object',
    () => secretsInManifest(`${secret}---\n${'\n'.repeat(long)}x`),
    ['hunter22'],
  ],
  ['a PEM text without an end', () => pemBlock('-----BEGIN G-----\n'.repeat(long / 10)), undefined],
  [
    'PEM blocks whose ends are others',
    () => pemBlock('-----BEGIN G-----\n-----END H-----\n'.repeat(long / 30)),
    undefined,
  ],
  ['a quantity of many digits', () => quantityOf(`${'0'.repeat(long)}!`), undefined],
  ['a scalar of an index', () => plainText(`a${' '.repeat(long)}b`)?.length, long + 2],
  [
    'a document of a manifest with many blanks',
    () => readEntries(`a: "x${' '.repeat(long)}y"`, { namespace: 'a' }).size,
    0,
  ],
])('%s', (_what, read, expected) => {
  const result = read();
  if (typeof result === 'function') expect(result).toThrow();
  else expect(result).toEqual(expected);
});
