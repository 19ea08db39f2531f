import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, TemplateError, typed } from '../../../src/go-template.ts';
import { buffer, emptyT, functions, tVal } from './exec-tests/twins.ts';

// The tables of text/template's own exec_test.go, with Go's answers, through tshelm/go-template: every case, and each
// again with other delimiters.

interface Case {
  readonly name: string;
  readonly delimiters?: string;
  readonly input: string;
  readonly data: { readonly type: string; readonly value?: unknown } | null;
  readonly output: string;
  readonly error?: string;
}

let directory: string;
let cases: readonly Case[];

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'exec-tests-'));
  const root = execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim();
  const [overlay, dump] = [join(directory, 'overlay.json'), join(directory, 'dump.json')];
  const laid = join(root, 'src/text/template/dump_test.go');
  writeFileSync(
    overlay,
    JSON.stringify({ Replace: { [laid]: resolve('test/e2e/go-template/exec-tests/dump_test.go') } }),
  );
  const words = ['test', '-count=1', '-overlay', overlay, '-run', 'TestDump$', 'text/template'];
  execFileSync('go', words, { env: { ...process.env, DUMP: dump }, stdio: 'pipe' });
  cases = JSON.parse(readFileSync(dump, 'utf8')) as Case[];
});
afterAll(() => rmSync(directory, { recursive: true }));

/** What a template can hold in Go, and here not: docs/go-template.md lists them. */
const missingTypes = /^(?:complex128|iter\.|struct \{|\[\]\*template\.T|uintptr)/;
const missingFields =
  /\.(?:unexported|MII|MI64S|MI32S|MUI64S|MI8S|MUI8S|NIL|NonEmptyInterfaceTypedNil|ComplexZero|UPI|EmptyUPI|SICap)\b/;
/** A channel, and a nil pointer to a string. */
const missingNames = ['range count', 'bug11'];

const isLeftOut = ({ name, data, input }: Case): boolean =>
  missingTypes.test(data?.type ?? '') || missingFields.test(input) || missingNames.includes(name);

function dataOf(data: Case['data']): unknown {
  if (data === null) return null;
  switch (data.type) {
    case 'tVal':
      return tVal();
    case 'template.T':
      return emptyT;
    case 'map[string]interface {}':
      return { S: buffer };
    case 'bool':
      return data.value === 'true';
    case 'float64':
      return Number(data.value);
    default:
      return typed(
        data.type,
        /int/.test(data.type) && typeof data.value === 'string' ? BigInt(data.value) : data.value,
      );
  }
}

function answer({ name, input, delimiters = ' ', data }: Case): Pick<Case, 'output' | 'error'> {
  const [left = '', right = ''] = delimiters.split(' ');
  try {
    return { output: parse(input, { name, delimiters: [left, right], functions }).execute(dataOf(data)) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { output: '', error: error.message };
  }
}

test("each case of Go's exec_test.go gives what Go gives", () => {
  const compared = cases.filter((each) => !isLeftOut(each));
  const different = compared.flatMap((each) => {
    const ours = answer(each);
    return ours.output === each.output && ours.error === each.error ? [] : [{ ...each, ours }];
  });
  expect(different).toEqual([]);
  const ofDefault = (some: readonly Case[]): number => some.filter(({ delimiters }) => delimiters === undefined).length;
  expect([ofDefault(compared), ofDefault(cases)]).toEqual([376, 415]);
  expect(compared.length).toBeGreaterThan(2500);
});
