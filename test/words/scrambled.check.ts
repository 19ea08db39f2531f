import { expect, test } from 'vitest';
import { factText } from '../../src/words/fact.ts';
import { remedyText } from '../../src/words/remedy.ts';

// Of the scrambled run alone (scrambled.config.ts).
test('the words are scrambled here', () => {
  expect(factText({ code: 'field-unknown', field: 'spec.x' })).toBe('volopxo gjfme tqfd.y');
  expect(remedyText({ kind: 'run', verb: 'zip', arguments: ['Zip'] })).toBe('utifmn ajq Ajq');
});
