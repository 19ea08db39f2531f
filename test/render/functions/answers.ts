import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { encodeText } from '../../../src/go/text.ts';
import type { GoMap, Value } from '../../../src/go/value.ts';
import { boundFunctions, fixedFunctions } from '../../../src/render/functions/table.ts';
import { messageOf } from '../../../src/support/errors.ts';
import { TemplateSet } from '../../../src/template/template-set.ts';

/** What Helm made of one template: a text, the bytes (base64) of one that is not UTF-8, or an error. */
interface Case {
  readonly template: string;
  readonly output?: string;
  readonly bytes?: string;
  readonly error?: string;
}

interface Expected {
  readonly timeZone: string;
  readonly data: unknown;
  readonly cases: Readonly<Record<string, readonly Case[]>>;
}

/** A test for each group of a file that test/e2e/functions/refresh.sh wrote with the functions of the real Helm. */
export function testHelmsAnswers(file: string, randomBytes: (count: number) => Uint8Array): void {
  const expected = JSON.parse(readFileSync(`fixtures/functions/${file}`, 'utf8')) as Expected;
  const functions = boundFunctions({
    now: () => new Date('2026-01-02T03:04:05.678Z'),
    randomBytes,
    enableDns: false,
    timeZone: expected.timeZone,
  });

  function rendered(template: string): Case {
    try {
      const set = new TemplateSet({ functions, base: fixedFunctions, missingKey: 'zero' });
      set.parse('case', template);
      const output = set.execute('case', valueOf(expected.data));
      const bytes = Buffer.from(encodeText(output));
      return bytes.toString('utf8') === output ? { template, output } : { template, bytes: bytes.toString('base64') };
    } catch (error) {
      return { template, error: messageOf(error) };
    }
  }

  test.each(Object.entries(expected.cases))('%s', (_function, cases) => {
    expect(cases.map(({ template }) => rendered(template))).toEqual(cases);
  });
}

function valueOf(json: unknown): Value {
  if (Array.isArray(json)) return json.map(valueOf);
  if (typeof json !== 'object' || json === null) return json as Value;
  return new Map(Object.entries(json).map(([key, item]) => [key, valueOf(item)])) as GoMap;
}
