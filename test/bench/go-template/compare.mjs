// Compares tshelm/go-template with the packages of its kind on npm, and with Go compiled to WebAssembly: how many of Go's
// own test cases they agree with, their size, start and speed. Needs Go, npm and `npm run build`:
// node test/bench/go-template/compare.mjs
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(dirname(here)));
const built = join(root, 'dist/go-template');
const folder = mkdtempSync(join(tmpdir(), 'compare-go-templates-'));
const run = (program, words, options = {}) => execFileSync(program, words, { encoding: 'utf8', ...options });

/** The data of Go's tests, as far as JSON has words for it; `$int` for Go's own program, where an integer is one. */
const integers = (value) =>
  typeof value === 'number'
    ? { $int: String(value) }
    : Array.isArray(value)
      ? value.map(integers)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, integers(each)]))
        : value;
const data = {
  True: true,
  I: 17,
  U16: 16,
  X: 'x',
  S: 'xyz',
  U: { V: 'v' },
  SI: [3, 4, 5],
  SIEmpty: [],
  SB: [true, false],
  MSI: { one: 1, two: 2, three: 3 },
  MSIone: { one: 1 },
  MSIEmpty: {},
  MXI: { one: 1 },
  SMSI: [
    { one: 1, two: 2 },
    { eleven: 11, twelve: 12 },
  ],
  Empty0: null,
  Empty1: 3,
  Empty2: 'empty2',
  Empty3: [7, 8],
  Empty4: { V: 'UinEmpty' },
};
const testFunctions =
  /\b(?:add|count|dddArg|die|echo|makemap|mapOfThree|oneArg|returnInt|stringer|twoArgs|typeOf|valueString|vfunc|zeroArgs)\b/;

/** Cases of Go's exec_test.go that need nothing but Go's own functions and data of JSON. */
function casesOfGo() {
  const [overlay, dump] = [join(folder, 'overlay.json'), join(folder, 'dump.json')];
  const laid = join(run('go', ['env', 'GOROOT']).trim(), 'src/text/template/dump_test.go');
  const file = join(root, 'test/e2e/go-template/exec-tests/dump_test.go');
  writeFileSync(overlay, JSON.stringify({ Replace: { [laid]: file } }));
  const words = ['test', '-count=1', '-overlay', overlay, '-run', 'TestDump$', 'text/template'];
  run('go', words, { env: { ...process.env, DUMP: dump }, stdio: 'pipe' });
  return JSON.parse(readFileSync(dump, 'utf8'))
    .filter(({ delimiters, data, input }) => !delimiters && isOfJson(data) && usesOnlyJson(input))
    .map(({ input, data }) => ({ source: input, hasData: data !== null }));
}

const isOfJson = (data) => data === null || data.type === 'tVal';

const usesOnlyJson = (input) =>
  !testFunctions.test(input) &&
  [...input.matchAll(/(?<![\w)\]"`])\.([A-Za-z]\w*)/g)].every(
    ([, name]) => name in data || /^[a-z]|^Unknown$|^V$/.test(name),
  ) &&
  !/\.(?:unexported|Method|GetU|Copy)/.test(input);

/** What Go gives for them with this data. */
function answersOfGo(cases) {
  const [input, output] = [join(folder, 'cases.json'), join(folder, 'answers.json')];
  const written = cases.map(({ source, hasData }) => ({
    source,
    missingKey: 'default',
    data: hasData ? 'default' : 'nothing',
  }));
  writeFileSync(input, JSON.stringify({ data: { default: integers(data), nothing: null }, cases: written }));
  run('go', ['run', '.', input, output], { cwd: join(root, 'test/e2e/go-template') });
  return JSON.parse(readFileSync(output, 'utf8')).results;
}

const items = Array.from({ length: 20 }, (_, n) => ({ name: `item-${n}`, on: n % 3 > 0, tags: ['a', 'b'] }));
const work = {
  source:
    '{{ range .items }}{{ if .on }}- {{ .name }}:{{ range .tags }} {{ . }}{{ end }}; {{ else }}off; {{ end }}{{ end }}',
  data: { items },
  text: items.map(({ name, on }) => (on ? `- ${name}: a b; ` : 'off; ')).join(''),
};

try {
  const cases = casesOfGo();
  const answers = answersOfGo(cases);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const packages = ['@ctrl/golang-template@2.0.1', '@evertdespiegeleer/go-template@1.0.2'];
  run('npm', ['install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], { cwd: folder });
  const wasm = ['build', '-trimpath', '-ldflags=-s -w', '-o', join(folder, 'main.wasm'), '.'];
  run('go', wasm, { cwd: here, env: { ...process.env, GOOS: 'js', GOARCH: 'wasm' } });
  cpSync(join(run('go', ['env', 'GOROOT']).trim(), 'lib/wasm/wasm_exec.js'), join(folder, 'wasm_exec.js'));

  console.log(`${cases.length} cases; ${run('go', ['version']).trim()}, Node ${process.version}`);
  console.log('| candidate | agrees | same error text | size | gzip | first text | texts a second |');
  console.log('|---|---|---|---|---|---|---|');
  const inside = (path) => join(folder, 'node_modules', path);
  const core = readdirSync(built).filter((name) => name === 'index.mjs' || isOfCore(name));
  report(
    'tshelm',
    cases,
    answers,
    built,
    core.map((name) => join(built, name)),
  );
  report('wasm', cases, answers, folder, [join(folder, 'main.wasm'), join(folder, 'wasm_exec.js')]);
  const evert = '@evertdespiegeleer/go-template';
  const files = ['main.wasm', 'wasm_exec.js', 'main.js'].map((name) => inside(`${evert}/dist/${name}`));
  report(evert, cases, answers, folder, files);
  const ctrl = '@ctrl/golang-template';
  report(ctrl, cases, answers, folder, [inside(`${ctrl}/dist/index.mjs`)]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The shared files that index.mjs imports. */
function isOfCore(name) {
  const imported = (file) => [...readFileSync(join(built, file), 'utf8').matchAll(/from"\.\/(shared-\w+\.mjs)"/g)];
  const direct = imported('index.mjs').map(([, path]) => path);
  return [...direct, ...direct.flatMap((path) => imported(path).map(([, inner]) => inner))].includes(name);
}

function report(name, cases, answers, place, files) {
  const input = JSON.stringify({ cases, data, work });
  const results = [1, 2, 3].map(() =>
    JSON.parse(run(process.execPath, [join(here, 'candidate.mjs'), name, place], { input })),
  );
  const [{ outcomes }] = results;
  const agrees = outcomes.filter(({ text, error }, n) =>
    answers[n].error ? error !== undefined : text === answers[n].text,
  );
  const failing = answers.filter(({ error }) => error !== undefined);
  const sameErrors = outcomes.filter(({ error }, n) => error !== undefined && error === answers[n].error);
  const bytes = files.map((file) => readFileSync(file));
  const size = (list) => `${(list.reduce((sum, { length }) => sum + length, 0) / 1024).toFixed(0)} KiB`;
  const middle = (values) => [...values].sort((a, b) => a - b)[1];
  const speed = results[0].rendersPerSecond && Math.round(middle(results.map((each) => each.rendersPerSecond)));
  const cells = [
    name,
    `${agrees.length} of ${cases.length}`,
    `${sameErrors.length} of ${failing.length}`,
    size(bytes),
    size(bytes.map((each) => gzipSync(each, { level: 9 }))),
    `${middle(results.map((each) => each.startMs)).toFixed(0)} ms`,
    speed ?? '–',
  ];
  console.log(`| ${cells.join(' | ')} |`);
  if (process.argv.includes('--differences'))
    cases.forEach(({ source }, n) => {
      const { text, error } = outcomes[n];
      if (!agrees.includes(outcomes[n]))
        console.log(`  ${source}: ${JSON.stringify(answers[n])}, here ${JSON.stringify(text ?? error)}`);
    });
}
