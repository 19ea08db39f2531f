import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serveSite } from '../../../scripts/site/serve.mjs';
import { type Browser, hasBrowser, openBrowser, type Page } from '../support/browser.ts';
import { tshelm } from '../support/programs.ts';

const site = resolve('site');
const isBuilt = existsSync(resolve(site, 'playground.html'));
if (!isBuilt) {
  const missing = 'site/playground.html is not there: npm run docs';
  if (process.env['CI'] === 'true') throw new Error(missing);
  console.log(`tests of the playground SKIPPED: ${missing}`);
}

describe.skipIf(!isBuilt || !hasBrowser)('the playground of the site', () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serveSite>>;
  let page: Page;
  let complaints: string[];
  let requests: string[];

  beforeAll(async () => {
    server = await serveSite(site);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });
  beforeEach(async () => {
    page = await opened(`${server.url}/playground.html`);
    await page.waitForFunction(`${output}.includes('ConfigMap')`);
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(server.url) && !/^(?:data|about):/.test(url))).toEqual([]);
    await page.close();
  });

  async function opened(url: string): Promise<Page> {
    const fresh = await browser.newPage();
    complaints = [];
    requests = [];
    fresh.on('pageerror', ({ message }) => complaints.push(message));
    fresh.on('request', (request) => requests.push(request.url()));
    await fresh.setViewport({ width: 1200, height: 900 });
    await fresh.goto(url);
    return fresh;
  }

  const type = async (text: string): Promise<void> => {
    await page.evaluate(`{
      const area = document.querySelector('textarea');
      area.value = ${JSON.stringify(text)};
      area.dispatchEvent(new Event('input', { bubbles: true }));
    }`);
  };
  const press = (label: string): Promise<unknown> =>
    page.evaluate(`[...document.querySelectorAll('.playground button')]
      .find(({ textContent }) => textContent.trim() === ${JSON.stringify(label)}).click()`);
  const fill = (label: string, text: string): Promise<unknown> =>
    page.evaluate(`{
      const labels = [...document.querySelectorAll('.playground label')];
      const input = labels.find(({ textContent }) => textContent.trim() === ${JSON.stringify(label)}).querySelector('input');
      input.value = ${JSON.stringify(text)};
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }`);
  const choose = async (name: string): Promise<void> => {
    await page.evaluate(`{
      const select = document.querySelector('.playground select');
      select.value = [...select.options].find(({ text }) => text === ${JSON.stringify(name)}).value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }`);
  };

  test('prints what the command prints, and asks for nothing while one types', async () => {
    await choose('A shop with two subcharts, in order');
    await page.waitForFunction(`${output}.includes('StatefulSet')`);
    const { stdout } = await tshelm.run(['template', 'demo', 'fixtures/charts/shop']);
    expect(await page.evaluate(output)).toBe(stdout);
    const before = requests.length;
    await type('a: 1\nkind: {{ .Release.Name }}\n');
    await page.waitForFunction(`${output}.includes('kind: demo')`);
    expect(requests.slice(before).filter((url) => !url.endsWith('playground-engine.js'))).toEqual([]);
  });

  test('takes the flags of the command, and a link keeps them', async () => {
    await choose('A shop with two subcharts, in order');
    await page.waitForFunction(`${output}.includes('StatefulSet')`);
    const flags = {
      '--set': 'replicas=5,image.tag=a\\,b',
      '--kube-version': '1.34',
      '--api-versions': 'a.example/v1 b/v2',
    };
    for (const [flag, text] of Object.entries(flags)) await fill(flag, text);
    await page.waitForFunction(`${output}.includes('replicas: 5') && location.hash.length > 50`);
    const words = ['template', 'demo', 'fixtures/charts/shop', '--set', flags['--set'], '--kube-version', '1.34'];
    expect(await page.evaluate(output)).toBe((await tshelm.run(words)).stdout);
    await type(shownCapabilities);
    await page.waitForFunction(`${output}.includes('v1.34')`);
    expect(await page.evaluate(output)).toContain('{"has":[true,true,false],"is":"v1.34","set":5}');
    const other = await opened(String(await page.evaluate('location.href')));
    await other.waitForFunction(`${output}.includes('{"has":[true,true,false],"is":"v1.34","set":5}')`);
    await other.close();
  });

  test('a mistake in --set is told as the command tells it', async () => {
    await fill('--set', 'a');
    await page.waitForFunction(`document.querySelector('.errors')?.textContent.includes('--set')`);
    const { stderr } = await tshelm.run(['template', 'demo', 'fixtures/charts/shop', '--set', 'a']);
    expect(await page.evaluate(`document.querySelector('.errors pre').textContent`)).toBe(stderr);
  });

  test('draws the order, in a frame that may not reach the page', async () => {
    await choose('A shop with two subcharts, in order');
    await press('Order');
    await page.waitForFunction(`${output}.includes('batch 1 of 2')`);
    const { stdout } = await tshelm.run(['plan', 'demo', 'fixtures/charts/shop', '--offline']);
    expect(await page.evaluate(output)).toBe(stdout);
    expect(await page.evaluate(`document.querySelector('iframe').getAttribute('sandbox')`)).toBe('allow-scripts');
  });

  test('marks the line of a mistake, and leads to it', async () => {
    await choose('A template with a mistake');
    await page.waitForFunction(`document.querySelector('.gutter .wrong')?.textContent === '6'`);
    await press('templates/config.yaml:6');
    const line = `document.activeElement.value.slice(0, document.activeElement.selectionStart).split('\\n').length`;
    await page.waitForFunction(`document.activeElement.tagName === 'TEXTAREA' && ${line} === 6`);
    expect(await page.evaluate(`document.querySelector('textarea').getAttribute('aria-invalid')`)).toBe('true');
  });

  test('a link holds the whole text', async () => {
    await type('kind: "ü {{ .Release.Name }}"\n');
    await page.waitForFunction(`${output}.includes('ü demo') && location.hash.length > 50`);
    const link = String(await page.evaluate('location.href'));
    const other = await opened(link);
    await other.waitForFunction(`${output}.includes('ü demo')`);
    expect(await other.evaluate(`document.querySelector('textarea').value`)).toBe('kind: "ü {{ .Release.Name }}"\n');
    await other.close();
  });

  test('a link that was cut off says so', async () => {
    const other = await opened(`${server.url}/playground.html#abc`);
    await other.waitForFunction(`document.querySelector('.notice')?.textContent.includes('cut off')`);
    await other.close();
  });

  test('a template that takes too long is stopped, and the next one is rendered', async () => {
    await type('{{ range until 1000 }}{{ derivePassword 1 "long" "a" "b" "c" }}{{ end }}');
    await page.waitForFunction(`document.querySelector('.errors')?.textContent.includes('stopped after 10 seconds')`);
    await type('kind: Again\n');
    await page.waitForFunction(`${output}.includes('kind: Again')`);
  });

  test('what a chart holds is text, wherever it is shown', async () => {
    const hostile = '</script></iframe><img src=x onerror="parent.hit = 1; window.hit = 1">';
    await type(`apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: '${hostile}'\n`);
    await page.waitForFunction(`${output}.includes('onerror')`);
    await press('Order');
    await page.waitForFunction(`document.querySelector('iframe')`);
    await type(`{{ fail ${JSON.stringify(hostile)} }}`);
    await page.waitForFunction(`document.querySelector('.errors')?.textContent.includes('onerror')`);
    expect(await page.evaluate(`[window.hit, document.querySelectorAll('.playground img').length]`)).toEqual([null, 0]);
  });

  test('the keyboard reaches the text and leaves it', async () => {
    await page.focus('textarea');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('INPUT');
    const unnamed = `[...document.querySelectorAll('.playground :is(input, select, textarea, iframe)')]
      .filter((one) => !one.getAttribute('aria-label') && !one.closest('label') && !one.title).length`;
    expect(await page.evaluate(unnamed)).toBe(0);
  });
});

const shownCapabilities = `{{ $has := list (.Capabilities.APIVersions.Has "a.example/v1") (.Capabilities.APIVersions.Has "b/v2") (.Capabilities.APIVersions.Has "c/v1") }}
kind: Seen
seen: {{ dict "is" .Capabilities.KubeVersion.Version "has" $has "set" .Values.replicas | toJson }}
`;

/** What the page prints. */
const output = `document.querySelector('.playground .output')?.textContent`;
