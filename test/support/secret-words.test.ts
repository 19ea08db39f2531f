import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goInt64 } from '../../src/go/value.ts';
import { isSecretName } from '../../src/support/secret-names.ts';
import { SecretWords } from '../../src/support/secret-words.ts';
import { plainlyRedacted } from './plain-redaction.ts';

test.each([
  'password',
  'dbPassword',
  'DB_PASSWORD',
  'postgres-password',
  'apiToken',
  'API_KEY',
  'apiKey',
  'clientSecret',
  'secret',
  'tls.key',
  'private_key',
  'PGPASSWORD',
  'redis-pwd',
  '.dockerconfigjson',
  'SENTRY_DSN',
])('%s names a secret', (name) => expect(isSecretName(name)).toBe(true));

test.each([
  'existingSecret',
  'secretName',
  'passwordFile',
  'useSecret',
  'image',
  'key',
  'author',
  'tokenTTL',
  'passwordSecretName',
])('%s does not', (name) => expect(isSecretName(name)).toBe(false));

describe('what is hidden', () => {
  const redacted = (text: string, learn: (words: SecretWords) => void): string => {
    const words = new SecretWords();
    learn(words);
    return words.redact(text);
  };

  test.each([
    ['a secret', 'pass is hunter2!', 'hunter2', 'pass is ***!'],
    ['a secret in base64', 'data aHVudGVyMg== end', 'hunter2', 'data *** end'],
    ['a text with a long one in base64', 'auth: Basic dTpjb3JyZWN0LWhvcnNl;', 'correct-horse', 'auth: Basic ***;'],
    ['no text with a short one in base64', 'v: dTpodW50ZXIyLg==', 'hunter2', 'v: dTpodW50ZXIyLg=='],
    ['a secret with quotes, in quotes', 'value "a\\"bc\\"d"', 'a"bc"d', 'value "***"'],
    ['a long one inside a word', 'postgres://u:xcorrect-horse@h', 'correct-horse', 'postgres://u:***@h'],
    ['a short one only where it stands alone', 'root of rooted my-root', 'root', '*** of rooted my-root'],
    ['lines of a key', 'found line-number-2 there', 'line-number-1\nline-number-2', 'found *** there'],
    ['not what is too short to tell', 'abc "abc" abc=1', 'abc', 'abc "abc" abc=1'],
    ['the shortest where it is called a secret', 'bad password abc (abc)', 'abc', 'bad password *** (abc)'],
    ['… in other words', 'the token is "abc", abcdef', 'abc', 'the token is "***", abcdef'],
    ['… and not another short word there', 'password for abc', 'abc', 'password for abc'],
  ])('%s', (_what, text, secret, expected) => {
    expect(redacted(text, (words) => words.add(secret))).toBe(expected);
  });

  test('the password of a URL, known or not', () => {
    expect(redacted('GET https://user:pw@host/x failed', () => {})).toBe('GET https://user:***@host/x failed');
    expect(redacted('image host:5000/x@sha256:abc', () => {})).toBe('image host:5000/x@sha256:abc');
  });

  test.each([
    ['Authorization: Bearer abc.def', 'Authorization: Bearer ***'],
    ['{"authorization":"Basic YTpi","code":401}', '{"authorization":"Basic ***","code":401}'],
    ['AWS_SECRET_ACCESS_KEY=wJalr AWS_REGION=eu', 'AWS_SECRET_ACCESS_KEY=*** AWS_REGION=eu'],
    ['level=error msg="bad" password="a b" code=7', 'level=error msg="bad" password="***" code=7'],
    ['{"password": "x\\"y", "user": "bob"}', '{"password": "***", "user": "bob"}'],
    ['GET /login?token=abc&page=2', 'GET /login?token=***&page=2'],
    ['error: token: unexpected end; existingSecret=db', 'error: token: unexpected end; existingSecret=db'],
    ['$password := .Values.password', '$password := .Values.password'],
  ])('what is a secret by its form: %s', (text, expected) => expect(redacted(text, () => {})).toBe(expected));

  test('a text without an end of a word takes no time that grows with its square', () => {
    const text = 'a'.repeat(1_000_000);
    expect(redacted(text, (words) => words.add('abc'))).toBe(text);
  });

  test('values by their keys, in maps and lists, numbers too', () => {
    const values = new Map<string, unknown>([
      ['db', new Map([['password', 'canary-one']])],
      ['users', [new Map([['token', 'canary-two']])]],
      ['pin', new Map([['secret', goInt64(123456)]])],
      [
        'secrets',
        new Map<string, unknown>([
          ['main', 'canary-three'],
          ['annotations', new Map([['a', 'visible-1']])],
          ['secretName', 'visible-2'],
        ]),
      ],
      ['existingSecret', 'visible-3'],
    ]);
    const text = 'canary-one canary-two 123456 canary-three visible-1 visible-2 visible-3';
    expect(redacted(text, (words) => words.addValues(values))).toBe('*** *** *** *** visible-1 visible-2 visible-3');
  });

  test.each([
    ['auth.password=canary-one,user=visible'],
    ['a=b,password=canary-one'],
    ['password[0]=canary-one'],
    ['{"auth": {"password": "canary-one"'],
    ['auth={"password":"canary-one"}'],
  ])('what %s assigns', (assignment) => {
    expect(redacted(`bad: canary-one, visible`, (words) => words.addAssignment(assignment))).toBe('bad: ***, visible');
  });
});

describe('one pass over the text', () => {
  const word = fc.stringMatching(/^[ab.-]{4,10}$/);
  const marks = ['=', '"', "'", ':', ' ', '\\', '\n', '://', '@', '/', '&', '{', ',', '\u00a0', 'é', '***'];
  const names = ['password', 'a.token', 'user', 'Authorization: Bearer ', 'authorization="basic '];
  const shapes = [...names, '"secret" : "', 'existingSecret='];
  const part = fc.oneof(word, fc.constantFrom(...marks, ...shapes));

  test('hides what many passes hid', () => {
    const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.uniqueArray(word, { maxLength: 6 }), (given, secrets) => {
        const words = new SecretWords();
        for (const secret of secrets) words.add(secret);
        const forms = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('base64')]);
        expect(words.redact(given)).toBe(plainlyRedacted(given, [...new Set(forms)]));
      }),
      { numRuns: 3_000 },
    );
  });

  test.each([
    ['2026-01-01T00:00:00Z INFO handler=api took=13ms password=hunter2 url=https://user:pw@host/x {"a":"b","c":1}\n'],
    ['{"level":"info","msg":"hello world","ts":123,"key":"value with spaces"},'],
    ['password    '],
    ['://a'],
    ['a="'],
    ['a='],
    ['key='],
    ['{a: '],
    ['--password '],
    ['login a '],
    ["IDENTIFIED BY '"],
    ['https://hooks.slack.com/services/'],
    ['-----BEGIN PRIVATE KEY-----\n'],
    ['password: |\n'],
    ['eyJaaaaaaaa.'],
  ])('%j with hundreds of secrets takes time by its length, and not by its square', (line) => {
    const words = new SecretWords();
    for (let index = 0; index < 300; index++) words.add(`secret-number-${index * 7919}-x`);
    for (const short of ['pin', 'hunter2']) words.add(short);
    const leastTime = (length: number): number => {
      const text = line.repeat(Math.ceil(length / line.length));
      const rounds = [1, 2, 3, 4].map(() => {
        const started = process.cpuUsage();
        words.redact(text);
        const { user, system } = process.cpuUsage(started);
        return Math.max(user + system, 1);
      });
      return Math.min(...rounds);
    };
    // 64 times the text: by its square it would take 4,096 times as long, and a busy machine hides no such thing.
    expect(leastTime(1_600_000) / leastTime(25_000)).toBeLessThan(1_024);
  });
});

test('what is learnt later is known when a text is read, and not before', () => {
  const words = new SecretWords();
  let hasLearnt = false;
  words.addLater((later) => {
    hasLearnt = true;
    later.add('hunter2hunter2');
  });
  expect(hasLearnt).toBe(false);
  expect(words.redact('it is hunter2hunter2')).toBe('it is ***');
});
