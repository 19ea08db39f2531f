import { describe, expect, test } from 'vitest';
import cases from '../../fixtures/schema/cases.json' with { type: 'json' };
import expected from '../../fixtures/schema/expected.json' with { type: 'json' };
import type { ChartNotice } from '../../src/chart/notice.ts';
import { validateAgainstSchema } from '../../src/chart/schema/validate.ts';
import { mergeValues } from '../../src/chart/value-options.ts';
import { slogLine } from '../../src/go/slog.ts';
import { messageOf } from '../../src/support/errors.ts';
import { writeJson } from '../../src/support/exact-json.ts';

interface SchemaCase {
  /** A string is the text of the schema. */
  readonly schema: unknown;
  readonly values?: unknown;
  readonly set?: readonly string[];
}

interface SchemaResult {
  readonly error?: string;
  readonly logs?: readonly string[];
  /** Helm's order of lines differs from run to run. */
  readonly unordered?: boolean;
}

async function outcome({ schema, values, set }: SchemaCase): Promise<SchemaResult> {
  const text = typeof schema === 'string' ? schema : writeJson(schema);
  const logs: string[] = [];
  const sources = {
    notify: ({ level, message, attributes }: ChartNotice) => {
      logs.push(slogLine(level, message, attributes));
    },
    download: undefined,
  };
  const setJson = values === undefined ? [] : [JSON.stringify(values)];
  const merged = await mergeValues({ setJson, set }, { readStdin: () => Promise.resolve(new Uint8Array()) });
  try {
    const found = await validateAgainstSchema(Buffer.from(text), merged, sources);
    return { ...(found !== '' && { error: `app:\n${found}` }), ...(logs.length > 0 && { logs }) };
  } catch (error) {
    return { error: `app:\n${messageOf(error)}` };
  }
}

/** Lines as a set, and the names within one. */
function sorted(error = ''): string[] {
  const names = /(?<=additional properties )(.*)(?= not allowed)/;
  return error
    .split('\n')
    .map((line) => line.replace(names, (list) => list.split(', ').sort().join()))
    .sort();
}

const titled = (cases.cases as SchemaCase[]).map(
  (each, index) => [JSON.stringify(each).slice(0, 250), each, expected.results[index] as SchemaResult] as const,
);

describe('values are checked as by Helm', () => {
  test.each(titled)('%s', async (_title, each, result) => {
    const { unordered = false, ...wanted } = result;
    const got = await outcome(each);
    if (!unordered) expect(got).toEqual(wanted);
    else expect(sorted(got.error)).toEqual(sorted(wanted.error));
  });
});
