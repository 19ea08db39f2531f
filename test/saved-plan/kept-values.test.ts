import { expect, test } from 'vitest';
import { keptTexts } from '../../src/saved-plan/kept-values.ts';
import { SecretWords } from '../../src/support/secret-words.ts';

const mask = (text: string): string => text.replaceAll('hunter2', '***');

test.each([
  ['set', 'replicas=4,image=x,db.password=hunter2', ['replicas=4,image=x'], ['db.password']],
  ['setString', 'db.password=hunter2,a={x,y}', ['a={x,y}'], ['db.password']],
  ['set', 'a\\,b=1,password=hunter2\\,x', ['a\\,b=1'], ['password']],
  ['set', 'users[0].name=x,users[0].password=hunter2', ['users[0].name=x'], ['users[0].password']],
  ['set', 'a=1', ['a=1'], []],
  ['set', 'a=1,a=hunter2', ['a=1'], ['a']],
  // What is set later would win over the secret.
  ['set', 'a=hunter2,a=1', [], ['a,a']],
  ['set', 'db.password=hunter2,db=null', [], ['db.password,db']],
  ['setLiteral', 'a=1,b=hunter2', [], ['a']],
  ['setJson', 'a="hunter2",b={"c":[1,2]}, d=,e=3', ['b={"c":[1,2]}, d=,e=3'], ['a']],
  ['setJson', 'a="hunter2",b=?', [], ['a']],
  ['setJson', '{"a":"hunter2"}', [], ['{…}']],
  ['valueFiles', 'https://u:hunter2@x/y', [], ['https://u:***@x/y']],
] as const)('of --%s %s a file keeps %j', (option, text, kept, keys) => {
  expect(keptTexts(option, [text], mask)).toEqual({ kept, leftOut: keys.map((key) => ({ option, key })) });
});

test('nothing is kept whose parts are secret together only', () => {
  const words = new SecretWords();
  const redact = (text: string): string => words.redact(text);
  const text = 'db.password=abcdefg,name=DB_PASSWORD,value=hunter3';
  expect(keptTexts('set', [text], redact)).toEqual({
    kept: [],
    leftOut: [{ option: 'set', key: 'db.password,name,value' }],
  });
});
