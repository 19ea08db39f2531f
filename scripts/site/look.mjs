// node scripts/site/look.mjs FOLDER: pictures of pages of the built site as browsers of three widths show them, light
// and dark. Exit code 1: a page is wider than its window, or a script of it fails.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';
import { serveSite } from './serve.mjs';

const site = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'site');
const folder = process.argv[2] ?? join(site, '../site-pictures');
const pages = ['index', 'use', 'ordering', 'architecture', 'errors', 'from-helm-3', 'reference/tshelm_install'];
const looks = [400, 800, 1440].flatMap((width) => ['light', 'dark'].map((theme) => ({ width, theme })));

const server = await serveSite(site);
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const found = [];
try {
  mkdirSync(folder, { recursive: true });
  for (const page of pages) for (const look of looks) found.push(...(await problemsOf(page, look)));
} finally {
  await browser.close();
  server.close();
}
for (const problem of found) console.log(problem);
console.log(`${pages.length * looks.length} pictures in ${folder}, ${found.length} problems`);
process.exitCode = found.length === 0 ? 0 : 1;

async function problemsOf(name, { width, theme }) {
  const page = await browser.newPage();
  const problems = [];
  const tell = (text) => problems.push(`${name} at ${width} px, ${theme}: ${text}`);
  page.on('pageerror', ({ message }) => tell(message));
  page.on('requestfailed', (request) => tell(`not loaded: ${request.url()}`));
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
  await page.goto(`${server.url}/${name}.html`, { waitUntil: 'networkidle0' });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wide > 0) tell(`${wide} px wider than the window`);
  await page.screenshot({ path: join(folder, `${name.replaceAll('/', '-')}-${width}-${theme}.png`) });
  await page.close();
  return problems;
}
