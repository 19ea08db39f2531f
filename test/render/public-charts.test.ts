import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { templateChart } from '../../src/actions/template.ts';
import { loadChart } from '../../src/chart/load.ts';
import { mergeValues } from '../../src/chart/value-options.ts';
import { messageOf } from '../../src/support/errors.ts';
import { withDebugHint } from '../../src/words/debug-hint.ts';
import { rsaKey } from '../support/rsa-keys.ts';

/*
 * Public charts with what Helm v4.3.1 printed for them. The folder (TSHELM_CHARTS) holds `cases.tsv` with a line for each
 * case (id, chart, values file, further arguments, ok or fail, yes or random), the charts, and `expected/ID.yaml.gz` or
 * `expected/ID.err.gz`, the answer of `helm template rel CHART --namespace ns --kube-version 1.33.0 [-f VALUES] [ARGUMENTS]`.
 */
const folder = process.env['TSHELM_CHARTS'] ?? join(import.meta.dirname, '../../../shared/charts');
const isThere = existsSync(join(folder, 'cases.tsv'));
const because = isThere ? '' : ` (skipped: there is no ${join(folder, 'cases.tsv')}; TSHELM_CHARTS names the folder)`;

interface ChartCase {
  readonly id: string;
  readonly args: readonly string[];
  readonly isRandom: boolean;
  readonly answer: string;
}

const cases = isThere ? readCases() : [];

describe.skipIf(!isThere)(`public charts${because}`, () => {
  test('there are cases', () => expect(cases.length).toBeGreaterThan(0));

  test.each(cases)('$id', async ({ args, isRandom, answer }) => {
    const printed = await helmTemplate(args);
    if (!isRandom) return expect(printed).toBe(answer);
    const again = await helmTemplate(args);
    expect(stableLines(printed, printed, again)).toEqual(stableLines(answer, printed, again));
  });
});

function readCases(): ChartCase[] {
  const rows = readFileSync(join(folder, 'cases.tsv'), 'utf8').trimEnd().split('\n').slice(1);
  return rows.map((row) => {
    const [id = '', chart = '', values = '', extra = '', result, stable] = row.split('\t');
    const answerFile = join(folder, 'expected', `${id}.${result === 'ok' ? 'yaml' : 'err'}.gz`);
    return {
      id,
      args: [
        join(folder, chart),
        ...(values === '-' ? [] : ['-f', join(folder, values)]),
        ...(extra === '-' ? [] : shellWords(extra)),
      ],
      isRandom: stable === 'random',
      answer: gunzipSync(readFileSync(answerFile)).toString(),
    };
  });
}

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
async function helmTemplate(args: readonly string[]): Promise<string> {
  const { values: given, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
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
        valueFiles: given.values,
        set: given.set,
        setString: given['set-string'],
        setJson: given['set-json'],
      },
      { readStdin: async () => new Uint8Array() },
    );
    const result = await templateChart(await loadChart(positionals[0] ?? ''), values, {
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
