import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from '../support/browser.ts';
import { tshelm } from '../support/programs.ts';

/** A page in a browser, with what it asked for and what it complained of. */
export interface Opened {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly requests: readonly string[];
}

export interface Look {
  readonly width: number;
  readonly theme: 'light' | 'dark';
}

/** All looks where pictures are taken; else each width and each theme, which do not depend on each other. */
export const looks: readonly Look[] = [400, 800, 1440].flatMap((width) =>
  (['light', 'dark'] as const)
    .map((theme) => ({ width, theme }))
    .filter(({ theme }) => process.env['TSHELM_PICTURES'] !== undefined || (width === 800) === (theme === 'dark')),
);

/** What tshelm prints, as a file of this name in a folder; gives its address. */
export async function written(folder: string, name: string, words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await tshelm.run(words);
  if (code !== 0) throw new Error(`${words.join(' ')}: exit code ${code}: ${stderr}`);
  const path = join(folder, `${name}.html`);
  writeFileSync(path, stdout);
  return pathToFileURL(path).href;
}

export async function opened(browser: Browser, url: string, { width, theme }: Look): Promise<Opened> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('request', (request) => requests.push(request.url()));
  await page.setViewport({ width, height: width < 700 ? 800 : 900 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
  await page.goto(url);
  return { page, complaints, requests };
}

/** A picture of the page where $TSHELM_PICTURES names a folder, for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['TSHELM_PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
