import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const site = resolve('scripts/site');
const program = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Whether there is a browser to test with; without one such tests are skipped, but in CI that is a failure. */
export const hasBrowser = existsSync(program);
if (!hasBrowser) {
  const missing = `no browser at ${program}: apt-get install chromium, or set CHROMIUM`;
  if (process.env['CI'] === 'true') throw new Error(missing);
  console.log(`tests with a browser SKIPPED: ${missing}`);
}

/** What of puppeteer's browser is used here; a function that is given runs in the page. */
export interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

export interface Page {
  on(event: 'pageerror', listener: (error: Error) => void): void;
  on(event: 'console', listener: (message: { text(): string }) => void): void;
  on(event: 'request', listener: (request: { url(): string }) => void): void;
  setViewport(size: { readonly width: number; readonly height: number }): Promise<void>;
  emulateMediaFeatures(features: readonly { readonly name: string; readonly value: string }[]): Promise<void>;
  goto(url: string, options?: { readonly waitUntil?: 'load' | 'domcontentloaded' }): Promise<unknown>;
  /** An expression of JavaScript, as text: what runs in a page is no module of ours. */
  evaluate(expression: string): Promise<unknown>;
  waitForFunction(expression: string): Promise<unknown>;
  click(selector: string): Promise<void>;
  focus(selector: string): Promise<void>;
  screenshot(options: { readonly path: string }): Promise<unknown>;
  close(): Promise<void>;
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  readonly mouse: { click(x: number, y: number): Promise<void>; wheel(by: { readonly deltaY: number }): Promise<void> };
  readonly accessibility: { snapshot(options: { readonly interestingOnly: boolean }): Promise<AccessibleNode | null> };
}

/** As assistive technology is told of it. */
export interface AccessibleNode {
  readonly role: string;
  readonly name?: string;
  readonly expanded?: boolean;
  readonly level?: number;
  readonly children?: readonly AccessibleNode[];
}

/** Starts the browser, driven by what the site's pictures are taken with, which is installed where it is not. */
export async function openBrowser(): Promise<Browser> {
  const driver = join(site, 'node_modules/puppeteer-core');
  if (!existsSync(driver))
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: site, stdio: 'ignore' });
  const puppeteer: { launch(options: object): Promise<Browser> } = createRequire(join(site, 'package.json'))(
    'puppeteer-core',
  );
  return puppeteer.launch({ executablePath: program, args: ['--no-sandbox'] });
}
