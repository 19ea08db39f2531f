import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerTo, cases } from '../../scripts/unittest-answers.mjs';
import { tshelm } from '../cli/harness.ts';

/** What helm-unittest answers: `scripts/unittest-answers.mjs` lets it write that. */
const expected = JSON.parse(readFileSync(join('fixtures', 'unittest', 'expected.json'), 'utf8'));

test.each(cases)('$name: the report, results and snapshots of helm-unittest', async (one) => {
  const answer = await answerTo(one, (cwd, words) => tshelm(['unittest', ...words], { cwd }));
  expect(answer).toEqual(expected[one.name]);
});

test('nothing goes to standard error, and --color alone paints', async () => {
  const { code, stdout, stderr } = await tshelm(['unittest', '--color', '-f', 'none', 'fixtures/unittest/shop']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('\u001b[1mshop\u001b[22m');
});
