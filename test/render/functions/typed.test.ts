import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { coalesceValues } from '../../../src/chart/coalesce.ts';
import { renderChart } from '../../../src/render/engine.ts';
import { messageOf } from '../../../src/support/errors.ts';
import { chartOf } from '../chart-text.ts';

interface Cases {
  readonly files: Readonly<Record<string, string>>;
  readonly values: readonly string[];
  readonly forms: readonly string[];
  readonly others: readonly string[];
}

/** An output, "! " and an error, or null where Helm does not always say the same. */
type Answer = string | null;

interface Expected {
  readonly table: Readonly<Record<string, readonly Answer[]>>;
  readonly others: readonly Answer[];
}

const read = (name: string): unknown => JSON.parse(readFileSync(`fixtures/functions/${name}.json`, 'utf8'));
const cases = read('typed-cases') as Cases;
const expected = read('typed-expected') as Expected;
const chart = await chartOf({ ...cases.files, 'templates/case.txt': '' });

/** The template as the one of a chart with a subchart, rendered as Helm's engine.Render does. */
function rendered(source: string): string {
  const templates = chart.templates.map((file) =>
    file.name === 'templates/case.txt' ? { ...file, data: Buffer.from(source) } : file,
  );
  try {
    const { files } = renderChart(
      { ...chart, templates },
      {
        values: coalesceValues(chart, new Map()),
        release: { name: 'rel', namespace: 'space', revision: 3, isInstall: false },
        timeZone: 'Africa/Lagos',
      },
    );
    return shortened(files.get('parent/templates/case.txt') ?? '');
  } catch (error) {
    return shortened(`! ${messageOf(error)}`);
  }
}

/** As the fixture has it: the template's name is @, and of a long text there is the beginning and the checksum. */
function shortened(full: string): string {
  const text = full.replaceAll('parent/templates/case.txt', '@');
  const bytes = Buffer.from(text);
  if (bytes.length <= 200) return text;
  const beginning = bytes.subarray(0, 100).toString('utf8').replaceAll('\ufffd', '');
  return `${beginning}… ${createHash('sha256').update(bytes).digest('hex')}`;
}

/** The answers to templates of which Helm has one, each with its template to be found by. */
const answersOf = (templates: readonly string[], answers: readonly Answer[]) =>
  templates.map((template, index) => [template, answers[index]]).filter(([, answer]) => answer !== null);

function check(templates: readonly string[], answers: readonly Answer[]): void {
  const known = answersOf(templates, answers);
  expect(known.map(([template = '']) => [template, rendered(template ?? '')])).toEqual(known);
}

test.each(cases.forms)('%s', (form) => {
  const { values } = cases;
  check(
    values.map((value) => form.replaceAll('{v}', value)),
    expected.table[form] ?? [],
  );
});

test('copies, merges and references to one map', () => check(cases.others, expected.others));
