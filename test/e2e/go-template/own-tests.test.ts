import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outcome } from '../../go/go-fixture.ts';
import { type Result, resultOf } from '../../template/reference-values.ts';
import { yamlOperations } from '../../yaml/operations.ts';

// Every text in the tests of Go's text/template and of Go's YAML is an input: as a template, as YAML. What is none of
// the kind is as good a case of a mistake.

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'own-tests-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const go = (cwd: string, ...args: string[]): string =>
  execFileSync('go', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });

function textsIn(...folders: string[]): string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('_test.go'))
      .map((name) => join(folder, name)),
  );
  return JSON.parse(go('test/e2e/go-template', 'run', './literals', ...files)) as string[];
}

/** Where the module cache has a module, of the version that go-yaml/go.mod names. */
const folderOf = (module: string): string =>
  (JSON.parse(go('test/e2e/go-yaml', 'mod', 'download', '-json', module)) as { Dir: string }).Dir;

/** Like the data of Go's exec_test.go, as far as JSON has words for it. */
const data = {
  True: true,
  I: { $int: '17' },
  U16: { $int: '16' },
  X: 'x',
  S: 'xyz',
  U: { V: 'v' },
  V0: '<6666>',
  V2: null,
  SI: [{ $int: '3' }, { $int: '4' }, { $int: '5' }],
  SICap: [{ $int: '0' }, { $int: '0' }],
  SIEmpty: [],
  SB: [true, false],
  MSI: { one: { $int: '1' }, two: { $int: '2' }, three: { $int: '3' } },
  MSIone: { one: { $int: '1' } },
  MSIEmpty: {},
  MXI: { one: { $int: '1' } },
  SMSI: [
    { one: { $int: '1' }, two: { $int: '2' } },
    { eleven: { $int: '11' }, twelve: { $int: '12' } },
  ],
  Empty0: null,
  Empty1: { $int: '3' },
  Empty2: 'empty2',
  Empty3: [{ $int: '7' }, { $int: '8' }],
  Empty4: { V: 'UinEmpty' },
  Str: { $level: 'foozle' },
  PI: { $int: '23' },
  PS: 'a string',
  NIL: null,
};

test("Go's own templates give what Go gives", () => {
  const root = go('.', 'env', 'GOROOT').trim();
  const sources = textsIn(join(root, 'src/text/template'), join(root, 'src/text/template/parse'));
  const cases = sources.map((source) => ({ source, missingKey: 'default' as const }));
  const [casesFile, resultsFile] = [join(directory, 'cases.json'), join(directory, 'results.json')];
  writeFileSync(casesFile, JSON.stringify({ data: { default: data }, cases }));
  go('test/e2e/go-template', 'run', '.', casesFile, resultsFile);
  const { results } = JSON.parse(readFileSync(resultsFile, 'utf8')) as { results: Result[] };
  const different = cases.flatMap((each, index) => {
    const ours = resultOf(each, data);
    return JSON.stringify(ours) === JSON.stringify(results[index]) ? [] : [{ ...each, go: results[index], ours }];
  });
  expect(different).toEqual([]);
  expect(results.length).toBeGreaterThan(500);
});

interface YamlCase {
  readonly operation: string;
  readonly input: string;
  readonly output?: string;
}

/** Go's answers, and those of ours that differ. */
function compared(cases: readonly YamlCase[]): {
  readonly answers: readonly YamlCase[];
  readonly different: unknown[];
} {
  const file = join(directory, 'yaml.json');
  writeFileSync(file, JSON.stringify({ cases }));
  go('test/e2e/go-yaml', 'run', '.', file);
  const { cases: answers } = JSON.parse(readFileSync(file, 'utf8')) as { cases: YamlCase[] };
  const different = answers.flatMap(({ operation, input, ...answer }) => {
    const ours = outcome(yamlOperations[operation] as (text: string) => string, { operation, input });
    return JSON.stringify(ours) === JSON.stringify(answer) ? [] : [{ operation, input, go: answer, ours }];
  });
  return { answers, different };
}

test("the YAML of Go's own tests is read and written as by Go", () => {
  const modules = ['go.yaml.in/yaml/v3', 'go.yaml.in/yaml/v2', 'sigs.k8s.io/yaml'];
  const inputs = textsIn(...modules.map(folderOf));
  const read = compared(
    inputs.flatMap((input) => ['readYaml', 'readYamlStrict'].map((operation) => ({ operation, input }))),
  );
  const values = new Set(read.answers.flatMap(({ output }) => output ?? []));
  const written = compared(
    [...values].flatMap((input) => ['writeYaml', 'writeYamlPretty'].map((operation) => ({ operation, input }))),
  );
  expect([...read.different, ...written.different]).toEqual([]);
  expect(read.answers.length).toBeGreaterThan(1000);
  expect(written.answers.length).toBeGreaterThan(500);
});
