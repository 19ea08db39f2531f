import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildEngine } from '../../../scripts/site/engine.mjs';
import { serveSite } from '../../../scripts/site/serve.mjs';
import { type Browser, hasBrowser, openBrowser, type Page } from '../support/browser.ts';
import { tshelm } from '../support/programs.ts';

/** A chart for the page's engine; its files, or a packed chart, in base64. */
interface Given {
  readonly files: Readonly<Record<string, string>>;
  readonly archive?: string;
  readonly values?: string;
  readonly namespace?: string;
  readonly kubeVersion?: string;
  readonly apiVersions?: readonly string[];
  readonly showOnly?: readonly string[];
  readonly set?: readonly string[];
  readonly release: string;
}

interface Answered {
  readonly output: string;
  readonly errors: string;
  readonly places: readonly { readonly file: string; readonly line: number }[];
  readonly order?: { readonly tree: string; readonly page: string };
}

const folder = mkdtempSync(join(tmpdir(), 'tshelm-playground-'));

describe.skipIf(!hasBrowser)('the engine of the playground, in a browser', () => {
  let browser: Browser;
  let page: Page;
  let server: Awaited<ReturnType<typeof serveSite>>;

  beforeAll(async () => {
    await buildEngine(join(folder, 'engine.js'));
    writeFileSync(join(folder, 'index.html'), '<!DOCTYPE html><title>engine</title>');
    server = await serveSite(folder);
    browser = await openBrowser();
    page = await browser.newPage();
    await page.goto(`${server.url}/index.html`);
    await page.evaluate(client);
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = async (given: Given): Promise<Answered> =>
    (await page.evaluate(`ask(${JSON.stringify(given)})`)) as Answered;

  const charts = ['fixtures', 'examples'].flatMap((parent) => chartsBelow(resolve(parent)));

  test.each(charts)('%s: prints what the command prints, and draws what plan draws', async (chart) => {
    const files = filesBelow(resolve(chart));
    const { output, errors, order } = await ask({ files, release: 'demo' });
    const { stdout, stderr } = await tshelm.run(['template', 'demo', chart]);
    expect(output).toBe(stdout);
    expect(errors).toBe(stderr);
    for (const [form, drawn] of [
      ['tree', order?.tree],
      ['html', order?.page],
    ] as const) {
      const plan = await tshelm.run(['plan', 'demo', chart, '--offline', '-o', form]);
      expect(drawn ?? '').toBe(plan.stdout);
    }
  });

  test.each([
    ['--set', 'replicas=5,image.tag=1\\,2'],
    ['--set', 'replicas=null', '--set', 'service={"port":1}'],
    ['--set', 'list[1]={a,b}', '--kube-version', '1.33'],
    ['--api-versions', 'example.com/v1', '--api-versions', 'monitoring.coreos.com/v1/ServiceMonitor'],
    ['--set', 'a[b=1'],
    ['--set', 'a'],
    ['--kube-version', 'none'],
  ])('%s %s %s %s', async (...flags) => {
    const chart = 'fixtures/charts/shop';
    const { output, errors } = await ask({ files: filesBelow(resolve(chart)), release: 'demo', ...optionsOf(flags) });
    const { stdout, stderr } = await tshelm.run(['template', 'demo', chart, ...flags]);
    expect({ output, errors }).toEqual({ output: stdout, errors: stderr });
  });

  const cases = helmCases();

  test.each(cases)("$name: Helm's own answer", async ({ files, args, output, errors }) => {
    const [release = '', , ...flags] = args;
    const given = { release, files: encoded(files), ...optionsOf(flags) };
    const answered = await ask(given);
    expect({ output: answered.output, errors: answered.errors }).toEqual({ output, errors: withoutDebugLines(errors) });
  });

  const { TSHELM_CHARTS: corpus = '' } = process.env;

  test.skipIf(corpus === '').each(corpusCases(corpus))('$id: a public chart', async ({ id, given, fails }) => {
    const { output, errors } = await ask(given);
    const expected = gunzipSync(readFileSync(join(corpus, `expected/${id}.${fails ? 'err' : 'yaml'}.gz`))).toString();
    expect(fails ? errors : output).toBe(expected);
  });

  test('hashes, ciphers and passwords give the bytes that Node gives', async () => {
    const text = [
      '{{ sha1sum "ü" }} {{ sha256sum "ü" }} {{ sha512sum "ü" }} {{ adler32sum "ü" }}',
      '{{ derivePassword 1 "long" "password" "user" "example.com" }}',
      '{{ decryptAES "secretkey" "30tEfhuJSVRhpG97XCuWgz2okj7L8vQ1s6V9zVUPeDQ=" }}',
      '{{ "a" | encryptAES "k" | decryptAES "k" }} {{ "x" | bcrypt | len }} {{ randAlphaNum 70000 | len }}',
      '{{ "ÿ" | b64enc }} {{ "w78=" | b64dec }} {{ "MZXW6===" | b32dec }}',
      '{{ urlParse "http://[::1]:80/a" | toJson }} {{ (toDate "2006-01-02" "2026-03-01") | date "Mon" }}',
    ].join('\n');
    const files = { 'Chart.yaml': 'apiVersion: v2\nname: x\nversion: 1.0.0\n', 'templates/NOTES.txt': '' };
    const template = `data: |\n${text.replace(/^/gm, '  ')}\n`;
    const chart = join(folder, 'functions');
    await writeChart(chart, { ...files, 'templates/a.yaml': template });
    const { output } = await ask({ release: 'r', files: encoded({ ...files, 'templates/a.yaml': template }) });
    expect(output).toBe((await tshelm.run(['template', 'r', chart])).stdout);
  });

  test('certificates and keys are placeholders that say so', async () => {
    const template =
      '{{ $ca := genCA "ca" 1 }}a: {{ (genSignedCert "a" nil nil 1 $ca).Cert | quote }}\nb: {{ genPrivateKey "ed25519" | quote }}\n';
    const files = { 'Chart.yaml': 'apiVersion: v2\nname: x\nversion: 1.0.0\n', 'templates/a.yaml': template };
    const { output } = await ask({ release: 'r', files: encoded(files) });
    expect(output.match(/PLACEHOLDER\/TSHELM/g)).toHaveLength(2);
  });

  test('a mistake has its line', async () => {
    const chartYaml = 'apiVersion: v2\nname: x\nversion: 1.0.0\n';
    const inTemplate = await ask({
      release: 'r',
      files: encoded({ 'Chart.yaml': chartYaml, 'templates/a.yaml': 'a: 1\nb: {{ .Values.a.b }}\n' }),
    });
    expect(inTemplate.places).toEqual([{ file: 'templates/a.yaml', line: 2 }]);
    const inValues = await ask({ release: 'r', files: encoded({ 'Chart.yaml': chartYaml }), values: 'a: 1\nb: [\n' });
    expect(inValues.places).toEqual([{ file: 'my-values.yaml', line: 3 }]);
  });
});

/** What runs in the page: a worker, and a question that waits for its answer. */
const client = `
  const worker = new Worker('/engine.js');
  const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const post = (request) => new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage({ id: 1, ...request });
  });
  globalThis.ask = async ({ files, archive, values = '', namespace = 'default', kubeVersion = '', ...rest }) => {
    const given = new Map(Object.entries(files).map(([name, base64]) => [name, bytes(base64)]));
    const unpacked = archive && (await post({ kind: 'unpack', packed: bytes(archive) })).files;
    const question = { files: unpacked ?? given, values, namespace, kubeVersion, ...rest };
    return (await post({ kind: 'render', question })).answer;
  };
`;

const names = (parent: string): string[] => readdirSync(parent, { recursive: true, encoding: 'utf8' });

const chartsBelow = (parent: string): string[] =>
  names(parent)
    .filter((name) => name.endsWith('/Chart.yaml'))
    .map((name) => relative('.', join(parent, name, '..')));

const filesBelow = (chart: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(chart, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [relative(chart, path), readFileSync(path).toString('base64')]),
  );

const encoded = (files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text).toString('base64')]));

async function writeChart(chart: string, files: Readonly<Record<string, string>>): Promise<void> {
  const { mkdirSync } = await import('node:fs');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(chart, name, '..'), { recursive: true });
    writeFileSync(join(chart, name), text);
  }
}

interface HelmCase {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly output: string;
  readonly errors: string;
}

const helmCases = (): readonly HelmCase[] => JSON.parse(readFileSync('fixtures/render/cases.json', 'utf8'));

const textFlags = { '--kube-version': 'kubeVersion', '--namespace': 'namespace' } as const;
const listFlags = { '--api-versions': 'apiVersions', '--set': 'set', '-s': 'showOnly' } as const;
const switches = {
  '--debug': 'debug',
  '--include-crds': 'includeCrds',
  '--is-upgrade': 'isUpgrade',
  '--no-hooks': 'noHooks',
  '--skip-tests': 'skipTests',
} as const;

/** Flags of the command as the options of a question. */
function optionsOf(flags: readonly string[]): Partial<Given> {
  const options: Record<string, unknown> = {};
  for (let at = 0; at < flags.length; at++) {
    const flag = flags[at] as string;
    const isOf = <T extends object>(table: T): keyof T | undefined =>
      Object.hasOwn(table, flag) ? (flag as keyof T) : undefined;
    const [text, list, one] = [isOf(textFlags), isOf(listFlags), isOf(switches)];
    if (text !== undefined) options[textFlags[text]] = flags[++at];
    else if (list !== undefined)
      options[listFlags[list]] = [...((options[listFlags[list]] as string[]) ?? []), flags[++at]];
    else if (one !== undefined) options[switches[one]] = true;
    else throw new Error(`the engine knows no ${flag}`);
  }
  return options;
}

/** With --debug Helm logs where the chart lies, which a page does not know. */
const withoutDebugLines = (errors: string): string => errors.replace(/^level=DEBUG .*\n/gm, '');

/** Public charts with Helm's answers: lines of cases.tsv without further flags. */
function corpusCases(corpus: string) {
  if (corpus === '') return [];
  const rows = readFileSync(join(corpus, 'cases.tsv'), 'utf8').trim().split('\n').slice(1);
  return rows
    .map((row) => row.split('\t'))
    .filter(([, , , extra, , stable]) => extra === '-' && stable === 'yes')
    .map(([id = '', chart = '', values = '-', , result]) => ({
      id,
      fails: result === 'fail',
      given: {
        release: 'rel',
        namespace: 'ns',
        kubeVersion: '1.33.0',
        files: {},
        archive: readFileSync(join(corpus, chart)).toString('base64'),
        values: values === '-' ? '' : readFileSync(join(corpus, values), 'utf8'),
      },
    }));
}
