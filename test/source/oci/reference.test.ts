import { expect, test } from 'vitest';
import { parseOciReference } from '../../../src/source/oci/reference.ts';

test.each(['org/chart', 'a-b', 'a--b', 'a__b', 'a.b/c_d/e---f', '0/9'])('%s is a repository', (repository) =>
  expect(parseOciReference(`oci://ghcr.io/${repository}:1.0`)).toMatchObject({ repository, tag: '1.0' }),
);

test.each([
  '',
  '-a',
  'a-',
  'a//b',
  'a..b',
  'a___b',
  'a._b',
  'Org/chart',
  `org/${'a'.repeat(60)}A`,
  `${'a'.repeat(60)}?`,
])('%j is refused at once', (repository) =>
  expect(() => parseOciReference(`oci://ghcr.io/${repository}`)).toThrow(`invalid repository "${repository}"`),
);
