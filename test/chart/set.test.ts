import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import cases from '../../fixtures/set/cases.json' with { type: 'json' };
import expected from '../../fixtures/set/expected.json' with { type: 'json' };
import { mergeValues } from '../../src/chart/value-options.ts';
import { messageOf } from '../../src/support/errors.ts';
import { typedJson } from './values.ts';

interface SetCase {
  readonly files?: readonly string[];
  readonly json?: readonly string[];
  readonly set?: readonly string[];
  readonly string?: readonly string[];
  readonly file?: readonly string[];
  readonly literal?: readonly string[];
}

const directory = mkdtempSync(join(tmpdir(), 'set-'));
writeFileSync(join(directory, 'note'), 'line 1\nline 2\n');
afterAll(() => rmSync(directory, { recursive: true }));

const sources = { readStdin: () => Promise.resolve(Buffer.from('from: stdin\n')) };

async function valuesOf({ files = [], json, set, string, file = [], literal }: SetCase): Promise<unknown> {
  const valueFiles = files.map((content, index) => {
    const path = join(directory, `${index}.yaml`);
    writeFileSync(path, content);
    return path;
  });
  try {
    const values = await mergeValues(
      {
        valueFiles,
        setJson: json,
        set,
        setString: string,
        setFile: file.map((text) => text.replaceAll('DIR', directory)),
        setLiteral: literal,
      },
      sources,
    );
    return { values: typedJson(values) };
  } catch (error) {
    return { error: messageOf(error).replaceAll(directory, 'DIR') };
  }
}

describe('the values that flags give are those of Helm', () => {
  test.each((cases.cases as SetCase[]).map((flags, index) => [JSON.stringify(flags), flags, expected.results[index]]))(
    '%s',
    async (_title, flags, result) => {
      expect(await valuesOf(flags as SetCase)).toEqual(result);
    },
  );
});
