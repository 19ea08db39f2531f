import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, hasBrowser, openBrowser } from '../support/browser.ts';
import { copyCheckout } from './checkout.ts';

// The package go-template as a stranger gets it: packed, installed into an empty folder, and used by its README alone.

const folder = mkdtempSync(join(tmpdir(), 'go-template-package-'));
const project = join(folder, 'project');
const installed = join(project, 'node_modules/go-template');
let archive = '';
let checkout = '';

const run = (program: string, words: readonly string[], cwd: string): string =>
  execFileSync(program, words, { cwd, encoding: 'utf8', stdio: 'pipe' });

beforeAll(() => {
  checkout = copyCheckout(join(folder, 'checkout'));
  run('npm', ['run', '--silent', 'pack:go-template'], checkout);
  const release = join(checkout, 'release');
  archive = join(release, readdirSync(release).find((name) => name.endsWith('.tgz')) ?? '');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}');
  run('npm', ['install', '--no-audit', '--no-fund', archive], project);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readme = (): string => readFileSync(join(installed, 'README.md'), 'utf8');

test('holds code, types, README, licence and notices, and needs no other package', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
  for (const name of ['index.mjs', 'functions.mjs', 'yaml.mjs', 'README.md', 'LICENSE', 'THIRD-PARTY-NOTICES'])
    expect(files).toContain(name);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).toMatchObject({ name: 'go-template', type: 'module', sideEffects: false, license: 'Apache-2.0' });
  expect(Object.keys(manifest).filter((key) => /dependencies|scripts/i.test(key))).toEqual([]);
  const notices = readFileSync(join(installed, 'THIRD-PARTY-NOTICES'), 'utf8');
  for (const name of ['re2js', 'bcryptjs', '@noble/hashes', 'smol-toml']) expect(notices).toContain(name);
  expect(notices).not.toContain('commander');
});

test('is a package as the tools that judge packages want it', () => {
  const tools = join(checkout, 'scripts/release');
  run('npm', ['ci', '--no-audit', '--no-fund'], tools);
  run(join(tools, 'node_modules/.bin/publint'), ['run', '--strict', installed], folder);
  run(join(tools, 'node_modules/.bin/attw'), ['--profile', 'esm-only', archive], folder);
});

test('its README speaks of this package, and of the sizes that it has', () => {
  expect(readme()).not.toMatch(/tshelm\/go|install tshelm|\]\((?!https?:)[^)]*\)/);
  const filesFrom = (name: string, seen = new Set<string>()): ReadonlySet<string> => {
    if (seen.has(name)) return seen;
    seen.add(name);
    const text = readFileSync(join(installed, name), 'utf8');
    for (const [, next = ''] of text.matchAll(/(?:from|import)"\.\/([\w-]+\.mjs)"/g)) filesFrom(next, seen);
    return seen;
  };
  const stated = [...readme().matchAll(/^\| `go-template(?:\/(\w+))?` \|.*\| (\d+) KiB \| (\d+) KiB \|$/gm)];
  expect(stated.map(([, name]) => name)).toEqual([undefined, 'functions', 'yaml']);
  for (const [, name = 'index', size, gzip] of stated) {
    const paths = [...filesFrom(`${name}.mjs`)].map((each) => join(installed, each));
    const sum = (sizes: readonly number[]): number => sizes.reduce((total, each) => total + each, 0) / 1024;
    const [bytes, packed] = [
      paths.map((path) => statSync(path).size),
      paths.map((path) => gzipSync(readFileSync(path)).length),
    ];
    expect(Math.abs(sum(bytes) - Number(size)) / Number(size), `${name}: ${sum(bytes)} KiB`).toBeLessThan(0.05);
    expect(Math.abs(sum(packed) - Number(gzip)) / Number(gzip), `${name}: ${sum(packed)} KiB`).toBeLessThan(0.05);
  }
});

/** What each runtime is to print: code of every entry point, bytes, cryptography, and an error. */
const program = `
import { parse, struct, TemplateError, typed } from 'go-template';
import { helm, sprig, time } from 'go-template/functions';
import { fromYaml, toYaml } from 'go-template/yaml';

const say = (text, data, functions = []) => {
  try {
    console.log(parse(text, { name: 'page', functions }).execute(data));
  } catch (error) {
    console.log(error instanceof TemplateError, error.line, error.column, error.message);
  }
};
say('{{ range $i, $x := .l }}{{ $i }}={{ $x }} {{ end }}{{ printf "%T %q %x" .n .s .s }}', { l: ['a', 1.5], n: 1, s: 'h\\u00e9 \\u{1d11e}' });
say('{{ .s | b64enc }} {{ .s | sha256sum }} {{ .s | upper }} {{ regexReplaceAll "a(b+)" "abbb" "<$1>" }}', { s: 'h\\u00e9' }, sprig());
say('{{ derivePassword 1 "long" "pw" "user" "site" }} {{ htpasswd "u" "p" | len }} {{ semverCompare ">=1.2" "1.3.0" }}', null, sprig());
say('{{ encryptAES "key" "text" | decryptAES "key" }} {{ randAlphaNum 9 | len }} {{ uuidv4 | len }}', null, sprig());
say('{{ .t | date "Jan 2, 2006 MST" }}{{ . | toYaml | nindent 2 }} {{ toToml .m }}', { t: time(new Date(0), 'UTC'), m: { a: [1] } }, helm());
say('{{ .u.Name }} {{ .u.Nope }}', { u: struct('main.User', { Name: 'Ann' }) });
say('{{ b }} {{ range 10000000 }}{{ end }}', null, { b: typed('func() []byte', () => [104, 105]) });
console.log(toYaml(fromYaml('b: [1, 0x10, yes]\\na: |\\n  x\\n')).trim());
`;

/** Of this name and version, installed once. */
function runtime(name: string, version: string): string {
  const home = join(process.env['TSHELM_E2E_BIN'] ?? folder, '../runtimes', `${name}-${version}`);
  const bin = join(home, 'node_modules/.bin', name);
  if (existsSync(bin)) return bin;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  run('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], home);
  return bin;
}

describe('every runtime prints the same', () => {
  const printed = (command: string, ...words: readonly string[]): string => {
    const path = join(project, 'program.mjs');
    writeFileSync(path, program);
    return run(command, [...words, path], project);
  };

  test('Node, which is right', () => {
    expect(printed(process.execPath)).toMatchInlineSnapshot(`
      "0=a 1=1.5 int "hé 𝄞" 68c3a920f09d849e
      aMOp 7dfbe0eab96510b11c9a2671d83019cd52953211294db5f917ffa0b7cc84f534 HÉ <bbb>
      LurmNaze1,Tomd 62 true
      text 9 36
      Jan 1, 1970 UTC
        m:
          a:
          - 1
        t: "1970-01-01T00:00:00Z" a = [1]

      true 1 19 template: page:1:19: executing "page" at <.u.Nope>: can't evaluate field Nope in type interface {}
      true 1 17 template: page:1:17: executing "page" at <10000000>: template takes too many steps
      a: |
        x
      b:
      - 1
      - 16
      - true
      "
    `);
  });

  test.each(['22', '24', '26'])('Node %s', (version) => {
    expect(printed(runtime('node', version))).toBe(printed(process.execPath));
  });
  test('Bun', () => expect(printed(runtime('bun', '1.4.5'))).toBe(printed(process.execPath)));
  test('Deno, which is given no right to anything', () => {
    expect(printed(runtime('deno', '2.9.6'), 'run', '--no-prompt')).toBe(printed(process.execPath));
  });
});

describe.runIf(hasBrowser)('in a browser', () => {
  let browser: Browser;
  let server: Server;
  let address = '';

  beforeAll(async () => {
    const [, page = ''] = /^```html\n([^]*?)^```$/m.exec(readme()) ?? [];
    writeFileSync(join(project, 'index.html'), page);
    const inBrowser = program.replaceAll(
      /'go-template(?:\/(\w+))?'/g,
      (_whole, name = 'index') => `'./node_modules/go-template/${name}.mjs'`,
    );
    const lines = 'const lines = [];\nconst console = { log: (...words) => lines.push(words.join(" ")) };\n';
    writeFileSync(
      join(project, 'worker.js'),
      `${inBrowser.replace(/(import.*\n)+/, (imports) => imports + lines)}postMessage(lines.join("\\n"));`,
    );
    writeFileSync(
      join(project, 'worker.html'),
      '<script>const worker = new Worker("./worker.js", { type: "module" }); worker.onmessage = ({ data }) => { window.printed = data; }; worker.onerror = (error) => { window.printed = error.message; };</script>',
    );
    server = createServer(({ url = '/' }, response) => {
      const path = join(project, url === '/' ? 'index.html' : url);
      if (!existsSync(path)) return response.writeHead(404).end();
      const type = ['.js', '.mjs'].includes(extname(path)) ? 'text/javascript' : 'text/html; charset=utf-8';
      return response.writeHead(200, { 'content-type': type }).end(readFileSync(path));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test("the README's page shows what is typed, and the error of a broken template", async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    await page.goto(address);
    await page.waitForFunction("document.getElementById('output').textContent !== ''");
    const output = (): Promise<unknown> => page.evaluate("document.getElementById('output').textContent");
    expect(await output()).toBe('Hello YOU, 0=a 1=b ');
    await page.evaluate("document.getElementById('template').value = 'Dear {{ .name.first }}'");
    await page.focus('#data');
    await page.keyboard.type(' ');
    expect(await output()).toBe(
      'template: template:1:13: executing "template" at <.name.first>: can\'t evaluate field first in type interface {}',
    );
    expect(complaints).toEqual([]);
  });

  test('a worker prints what Node prints', async () => {
    const page = await browser.newPage();
    await page.goto(`${address}/worker.html`);
    await page.waitForFunction('window.printed !== undefined');
    expect(await page.evaluate('window.printed')).toBe(
      run(process.execPath, [join(project, 'program.mjs')], project).trim(),
    );
  });
});
