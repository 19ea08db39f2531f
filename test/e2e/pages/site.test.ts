import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deadLinksOf, htmlPages } from '../../../scripts/site/links.mjs';
import { serveSite } from '../../../scripts/site/serve.mjs';
import { type Browser, hasBrowser, openBrowser, type Page } from '../support/browser.ts';

const site = resolve('site');
const isBuilt = existsSync(site);
if (!isBuilt) {
  const missing = 'site/ is not there: npm run docs';
  if (process.env['CI'] === 'true') throw new Error(missing);
  console.log(`tests of the site SKIPPED: ${missing}`);
}

describe.skipIf(!isBuilt)('the site of the docs', () => {
  test('has every page of docs/, and a page for each command', () => {
    const pages = htmlPages(site);
    for (const name of ['index', 'ordering', 'stack', 'sdk', 'errors', 'decisions/index', 'reference/tshelm_install'])
      expect(pages).toContain(`${name}.html`);
    expect(pages.filter((name) => name.startsWith('reference/')).length).toBeGreaterThan(60);
  });

  test('every page has a title and one main heading', () => {
    const bare = htmlPages(site).filter((name) => {
      const text = readFileSync(join(site, name), 'utf8');
      const isNamed = name === 'index.html' || /<title>[^<|]+ \| tshelm<\/title>/.test(text);
      return !isNamed || (text.match(/<h1\b/g) ?? []).length !== 1;
    });
    expect(bare).toEqual([]);
  });

  test('nothing says where or when it was built', () => {
    const files = readdirSync(site, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const telling = files
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => {
        const text = readFileSync(path, 'utf8');
        return [resolve('.'), homedir() === '/' ? site : `${homedir()}/`, 'Auto generated on'].some((trace) =>
          text.includes(trace),
        );
      });
    expect(telling).toEqual([]);
  });

  test('has no link that leads nowhere', () => {
    expect(deadLinksOf(site)).toEqual([]);
  });

  describe.skipIf(!hasBrowser)('in a browser', () => {
    let browser: Browser;
    let page: Page;
    let server: Awaited<ReturnType<typeof serveSite>>;
    const complaints: string[] = [];

    beforeAll(async () => {
      server = await serveSite(site);
      browser = await openBrowser();
      page = await browser.newPage();
      page.on('pageerror', ({ message }) => complaints.push(message));
    });
    afterAll(async () => {
      await browser?.close();
      server?.close();
    });

    test('no page is wider than a telephone, none fails, and none asks another host', async () => {
      const asked = new Set<string>();
      page.on('request', (request) => asked.add(new URL(request.url()).origin));
      await page.setViewport({ width: 400, height: 800 });
      const wide: string[] = [];
      for (const name of htmlPages(site)) {
        complaints.length = 0;
        await page.goto(`${server.url}/${name}`, { waitUntil: 'load' });
        await page.waitForFunction(`document.querySelector('.VPContent') !== null && ${drawn}`);
        const over = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
        if (over > 0) wide.push(`${name}: ${over} px`);
        for (const complaint of complaints) wide.push(`${name}: ${complaint}`);
      }
      expect(wide).toEqual([]);
      expect([...asked].filter((origin) => origin !== 'null')).toEqual([server.url]);
    });
  });
});

/** Whether every diagram of the page has become a picture. */
const drawn = `[...document.querySelectorAll('.diagram')].every((diagram) => diagram.querySelector('svg') !== null)`;
