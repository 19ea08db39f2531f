import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { givenAt } from '../../src/cli/errors/given-values.ts';

const directory = mkdtempSync(join(tmpdir(), 'tshelm-given-'));
afterAll(() => rmSync(directory, { recursive: true }));
const first = join(directory, 'first.yaml');
const second = join(directory, 'second.yaml');
writeFileSync(first, 'image:\n  tag: 1\nport: 80\n');
writeFileSync(second, '# of production\nimage:\n  tag: 2\n');

test.each([
  ['the last file that has it', 'image.tag', {}, { file: second, line: 3 }],
  ['an earlier file', 'port', {}, { file: first, line: 3 }],
  ['a flag goes before files', 'image.tag', { set: ['x=1,image.tag=3'] }, { flag: '--set' }],
  [
    'the last flag in the order of merging',
    'port',
    { set: ['port=1'], setString: ['port=2'] },
    { flag: '--set-string' },
  ],
  ['JSON', 'a.b', { setJson: ['{"a": {"b": 1}}'] }, { flag: '--set-json' }],
  ['JSON of a key', 'a.b', { setJson: ['a={"b": 1}'] }, { flag: '--set-json' }],
  ['a literal', 'a', { setLiteral: ['a=x,y'] }, { flag: '--set-literal' }],
  ['a file of one value', 'a', { setFile: ['a=/nowhere'] }, { flag: '--set-file' }],
  ['nobody', 'c', { set: ['=,'] }, undefined],
])('%s', (_what, name, flags, at) =>
  expect(givenAt(name.split('.'), { valueFiles: [first, second, '-', 'https://x/y'], ...flags })).toEqual(at),
);
