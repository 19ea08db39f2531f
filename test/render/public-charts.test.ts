import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { templateChart } from '../../src/actions/template.ts';
import { mergeValues } from '../../src/chart/value-options.ts';
import { messageOf } from '../../src/support/errors.ts';
import { withDebugHint } from '../../src/words/debug-hint.ts';
import {
  absence,
  chartsFolder,
  hasCharts,
  type PublicCase,
  publicCases,
  publicChart,
} from '../support/public-charts.ts';
import { rsaKey } from '../support/rsa-keys.ts';

const cases = publicCases.map((one) => {
  const answerFile = join(chartsFolder, 'expected', `${one.id}.${one.renders ? 'yaml' : 'err'}.gz`);
  return { ...one, answer: () => gunzipSync(readFileSync(answerFile)).toString() };
});

describe.skipIf(!hasCharts)(`public charts${absence}`, () => {
  test('there are cases', () => expect(cases.length).toBeGreaterThan(0));

  test.each(cases)('$id', async ({ answer, ...one }) => {
    const printed = await helmTemplate(one);
    if (!one.isRandom) return expect(printed).toBe(answer());
    const again = await helmTemplate(one);
    expect(stableLines(printed, printed, again)).toEqual(stableLines(answer(), printed, again));
  });
});

/** Words as a shell makes them of text with '…' and \ in it. */
function shellWords(text: string): string[] {
  return [...text.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|\\(.)/g, (_, quoted: string | undefined, escaped: string) => quoted ?? escaped),
  );
}

/** The lines of `text` that two runs print alike, with their numbers. */
function stableLines(text: string, run: string, otherRun: string): string[] {
  const [lines, runLines, otherLines] = [text, run, otherRun].map((each) => each.split('\n'));
  const isStable = (index: number) => runLines?.[index] === otherLines?.[index];
  return (lines ?? []).map((line, index) => (isStable(index) ? `${index + 1}: ${line}` : `${index + 1}: (random)`));
}

const text = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;

/** Standard output, or standard error where the chart does not render. */
async function helmTemplate({ archive, valueFiles, extra }: PublicCase): Promise<string> {
  const { values: given } = parseArgs({
    args: shellWords(extra),
    options: {
      values: { ...text, short: 'f' },
      set: text,
      'set-string': text,
      'set-json': text,
      'show-only': { ...text, short: 's' },
      'kube-version': text,
      'api-versions': text,
      'include-crds': flag,
      'is-upgrade': flag,
      'no-hooks': flag,
      'skip-tests': flag,
      'skip-schema-validation': flag,
    },
  });
  try {
    const values = await mergeValues(
      {
        valueFiles: [...valueFiles, ...(given.values ?? [])],
        set: given.set,
        setString: given['set-string'],
        setJson: given['set-json'],
      },
      { readStdin: async () => new Uint8Array() },
    );
    const result = await templateChart(await publicChart(archive), values, {
      name: 'rel',
      namespace: 'ns',
      rsaKey,
      kubeVersion: given['kube-version']?.at(-1) ?? '1.33.0',
      apiVersions: given['api-versions'],
      showOnly: given['show-only'],
      includeCrds: given['include-crds'],
      isUpgrade: given['is-upgrade'],
      noHooks: given['no-hooks'],
      skipTests: given['skip-tests'],
      skipSchemaValidation: given['skip-schema-validation'],
    });
    return result.output;
  } catch (error) {
    return `Error: ${messageOf(withDebugHint(error, false))}\n`;
  }
}
