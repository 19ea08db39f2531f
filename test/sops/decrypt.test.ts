import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readValues } from '../../src/chart/values-file.ts';
import { decryptFile } from '../../src/sops/decrypt.ts';
import { hasCode, messageOf } from '../../src/support/errors.ts';
import { changesOf } from './changes.mjs';

/** Files that sops encrypted, and what sops makes of them again (record.sh). */
const files = new URL('fixtures/', import.meta.url);
const read = (name: string): Buffer => readFileSync(new URL(name, files));
const keys = new URL('keys.txt', files).pathname;

/** No program sops is on this PATH, and no key elsewhere. */
const env = (more: Record<string, string> = { SOPS_AGE_KEY_FILE: keys }) => ({
  PATH: '/nowhere',
  HOME: '/nowhere',
  ...more,
});

async function decrypted(
  name: string,
  data: Uint8Array = read(name),
  more?: Record<string, string>,
  spelling?: 'values' | 'sops',
) {
  const learnt: string[] = [];
  const plain = await decryptFile(name, data, { env: env(more), learn: (text) => void learnt.push(text), spelling });
  return { plain: plain && Buffer.from(plain), learnt };
}

const encrypted = readdirSync(files).filter((name) => name.includes('.encrypted.'));
const plainName = (name: string): string => name.replace('.encrypted.', '.plain.');
const withPlain = encrypted.filter((name) => readdirSync(files).includes(plainName(name)));

test('there are files of every format', () =>
  expect(new Set(withPlain.map((name) => name.split('.').at(-1)))).toEqual(new Set(['yaml', 'json', 'env', 'bin'])));

test.each(withPlain.filter((name) => /yaml|json/.test(name)))('%s has the values that sops reads', async (name) => {
  const { plain } = await decrypted(name);
  expect(readValues(plain ?? Buffer.alloc(0))).toEqual(readValues(read(plainName(name))));
});

test.each(withPlain)('as a text %s is to the byte what sops prints', async (name) => {
  const { plain } = await decrypted(name, read(name), undefined, 'sops');
  // Of JSON, sops prints one line break more than is in the file.
  expect(plain?.toString('latin1').trimEnd()).toBe(read(plainName(name)).toString('latin1').trimEnd());
  if (!name.endsWith('.json')) expect(plain?.equals(read(plainName(name)))).toBe(true);
});

test('many comments and values take linear time', async () => {
  const before = read('comments.encrypted.yaml').toString();
  const [first = ''] = before.split('\n');
  const many = before.replace(first, `${first}\n`.repeat(20_000));
  const { plain } = await decrypted('many.yaml', Buffer.from(many), undefined, 'sops');
  expect(String(plain).split('# head\n')).toHaveLength(20_001);
});

test('of dotenv, encrypted comments are left out', async () =>
  expect(String((await decrypted('settings.encrypted.env')).plain).trimEnd()).toBe('A=1\nB=two words\nC=x=y'));

test.each(['a.ini', 'settings'])('INI is left to the program sops: %s', async (name) => {
  const text =
    '[db]\npassword = ENC[AES256_GCM,data:FMs2GxBQuA==,iv:AA==,tag:AA==,type:str]\n[sops]\nversion = 3.13.3\n';
  const failure = await decrypted(name, Buffer.from(text)).catch((error: unknown) => error);
  expect(messageOf(failure)).toBe(`cannot decrypt ${name}: it is an INI file, and the program sops is not on the PATH`);
});

test('what was encrypted is learnt, and nothing else', async () => {
  const { learnt } = await decrypted('some.encrypted.yaml');
  expect(learnt).toEqual(['hunter2', 'jo', 'deep', 'plain']);
});

test('all that was not encrypted stands where it stood', async () => {
  const before = read('some.encrypted.yaml').toString();
  const { plain } = await decrypted('some.encrypted.yaml');
  const own = before.slice(0, before.indexOf('\nsops:') + 1).split('\n');
  const lines = String(plain).split('\n');
  expect(lines).toHaveLength(own.length);
  for (const [index, line] of own.entries()) if (!line.includes('ENC[')) expect(lines[index]).toBe(line);
});

test('a file that sops did not touch is left alone', async () =>
  expect((await decrypted('a.yaml', Buffer.from('a: 1\nsops: nothing\n'))).plain).toBeUndefined());

describe('keys', () => {
  test.each([
    ['SOPS_AGE_KEY', () => ({ SOPS_AGE_KEY: read('keys.txt').toString() })],
    ['SOPS_AGE_KEY_CMD', () => ({ PATH: process.env['PATH'] ?? '', SOPS_AGE_KEY_CMD: `cat ${keys}` })],
  ])('of %s', async (_name, more) => {
    const { plain } = await decrypted('values.encrypted.yaml', undefined, more());
    expect(String(plain)).toContain('hunter2');
  });

  test.each([
    [{}, 'there is no age identity in SOPS_AGE_KEY, SOPS_AGE_KEY_FILE or sops/age/keys.txt; it is encrypted for age1'],
    [{ SOPS_AGE_KEY_FILE: new URL('other-keys.txt', files).pathname }, 'none of the age identities at hand opens it'],
  ])('without the right one: %j', async (more, reason) => {
    const failure = await decrypted('values.encrypted.yaml', undefined, more).catch((error: unknown) => error);
    expect(hasCode(failure, 'sops-key')).toBe(true);
    expect(messageOf(failure)).toContain(`cannot decrypt values.encrypted.yaml: ${reason}`);
    expect(messageOf(failure)).toMatch(/and the program sops is not on the PATH$/);
  });
});

test.each([
  [{ SOPS_AGE_KEY_FILE: '/nowhere/keys.txt' }, 'SOPS_AGE_KEY_FILE: open /nowhere/keys.txt: no such file or directory'],
  [{ SOPS_AGE_KEY_FILE: files.pathname }, `SOPS_AGE_KEY_FILE: read ${files.pathname}: is a directory`],
  [
    { PATH: process.env['PATH'] ?? '', SOPS_AGE_KEY_CMD: 'echo AGE-SECRET; false' },
    'SOPS_AGE_KEY_CMD: the command failed',
  ],
])('keys that cannot be read: %j', async (more, reason) => {
  const failure = await decrypted('values.encrypted.yaml', undefined, more as Record<string, string>).catch(
    (error: unknown) => error,
  );
  expect(hasCode(failure, 'sops-key')).toBe(true);
  expect(messageOf(failure)).toBe(`cannot decrypt values.encrypted.yaml: ${reason}`);
});

describe.each(Object.entries(JSON.parse(read('verdicts.json').toString()) as Record<string, (string | false)[]>))(
  'of %s in fifty changed forms',
  (name, verdicts) => {
    test('none is taken that sops refuses, and what is taken says what it says to sops', async () => {
      const changed = changesOf(read(name).toString());
      const own = await Promise.all(
        changed.map((text) =>
          decrypted(name, Buffer.from(text)).then(
            ({ plain }) => plain,
            () => undefined,
          ),
        ),
      );
      const taken = own.flatMap((plain, index) =>
        plain === undefined ? [] : [[valuesOf(name, String(plain)), verdicts[index]] as const],
      );
      expect(taken.map(([values]) => values)).toEqual(
        taken.map(([, plain]) => plain !== false && valuesOf(name, plain ?? '')),
      );
      expect(verdicts.filter((plain) => plain === false).length).toBeGreaterThan(20);
    });
  },
);

/** Our YAML keeps the form of the file. Of dotenv, comments are no values. */
const valuesOf = (name: string, text: string): unknown =>
  /yaml|json/.test(name)
    ? readValues(Buffer.from(text))
    : text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test.each([
  ['sops is gone', (text: string) => text.slice(0, text.indexOf('\nsops:') + 1), 'no metadata of sops that says how'],
  [
    'a value is plain',
    (text: string) => text.replace(/^password: .*$/m, 'password: x'),
    'the value at password is not encrypted, and should be',
  ],
  [
    'a value is at another place',
    (text: string) => text.replace(/^password: /m, 'passwort: '),
    'the value at passwort was changed, or belongs to another file',
  ],
  [
    'an open value is another',
    (text: string) => text.replace('visible', 'changed'),
    'it was changed after it was encrypted',
  ],
  [
    'the code is gone',
    (text: string) => text.replace(/^ {4}mac: .*\n/m, ''),
    'its metadata has no mac or no lastmodified',
  ],
  [
    'the code is short',
    (text: string) => text.replace(/(mac: ENC.*tag:)[^,]*/, '$1AAAA'),
    'its message authentication code was changed',
  ],
  [
    'an alias',
    (text: string) => text.replace(/^nothing: null$/m, 'nothing: &x 1\nother: *x'),
    'sops writes no aliases',
  ],
])('a file of which %s is refused', async (_what, change, reason) => {
  const text = read('values.encrypted.yaml').toString();
  expect(change(text)).not.toBe(text);
  const failure = await decrypted('values.encrypted.yaml', Buffer.from(change(text))).catch((error: unknown) => error);
  expect(hasCode(failure, 'sops-invalid')).toBe(true);
  expect(messageOf(failure)).toContain(`cannot decrypt values.encrypted.yaml: `);
  expect(messageOf(failure)).toContain(reason);
});
