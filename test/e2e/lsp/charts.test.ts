import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { Diagnostics } from '../../../src/lsp/session.ts';
import { EditorSession } from '../../../src/lsp/session.ts';
import { Client } from '../../lsp/client.ts';
import { mutationOf, withMutation } from '../mutants/mutation.ts';

// Measures of docs/decisions/lsp.md, by hand: LSP_CHARTS=DIR, a folder of unpacked charts that Helm renders with their own
// values. LSP_MUTANTS=1000 is how many mistakes are made, LSP_SEED=… draws others, LSP_TYPED=FOLDER/FILE the template that is
// typed into, LSP_REPORT=FILE keeps a line of JSON for each mistake that is not at its line.
const charts = process.env['LSP_CHARTS'] ?? '';
const wanted = Number(process.env['LSP_MUTANTS'] ?? 100);
const seed = Number(process.env['LSP_SEED'] ?? 1);
const report = process.env['LSP_REPORT'];
const typed = process.env['LSP_TYPED'];
const hourMs = 3_600_000;

const folders = charts === '' ? [] : readdirSync(charts).filter((name) => existsSync(join(charts, name, 'Chart.yaml')));
const noPause = async (): Promise<void> => undefined;

/** `error shop/templates/web.yaml:3 field-unknown` */
const linesOf = (found: Diagnostics): readonly string[] =>
  [...found].flatMap(([path, own]) =>
    own
      .filter(({ level }) => level !== 'note')
      .map(({ level, range, code }) => `${level} ${path}:${range.start.line + 1} ${code}`),
  );

test.runIf(folders.length > 0)(
  'charts that Helm renders have no error',
  async () => {
    const wrong: string[] = [];
    for (const folder of folders) {
      const session = new EditorSession({ env: {} });
      const found = linesOf(await session.full(join(charts, folder, 'Chart.yaml'), noPause));
      wrong.push(...found);
    }
    console.log(`${folders.length} charts\n${wrong.join('\n')}`);
    expect(wrong.filter((line) => line.startsWith('error'))).toEqual([]);
  },
  hourMs,
);

interface Told {
  told: number;
  atLine: number;
  silent: number;
}

test.runIf(folders.length > 0)(
  'mistakes are told at their line',
  async () => {
    const sum: Told = { told: 0, atLine: 0, silent: 0 };
    for (const [index, folder] of folders.entries()) {
      const enough = Math.round(((index + 1) * wanted) / folders.length);
      await judgeChart(join(charts, folder), { index, enough, sum });
    }
    console.log(`of ${sum.told} mistakes that are told ${sum.atLine} at their line; ${sum.silent} are none to the API`);
    expect(sum.atLine / sum.told).toBeGreaterThanOrEqual(0.95);
  },
  hourMs,
);

async function judgeChart(
  folder: string,
  { index, enough, sum }: { readonly index: number; readonly enough: number; readonly sum: Told },
): Promise<void> {
  const names = [
    'values.yaml',
    ...readdirSync(join(folder, 'templates'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ya?ml|tpl)$/.test(name))
      .map((name) => `templates/${name}`),
  ];
  const sources = names.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  const session = new EditorSession({ env: {} });
  const known = new Set(linesOf(await session.full(join(folder, 'Chart.yaml'), noPause)));
  for (let draw = 0; sum.told < enough && draw < 400; draw++) {
    const mutation = mutationOf(sources, (seed * 1009 + index) * 1009 + draw);
    if (mutation === undefined) continue;
    const path = join(folder, mutation.file);
    const text = sources.find(({ name }) => name === mutation.file)?.text ?? '';
    session.workspace.change(path, withMutation(text, mutation));
    const found = await session.full(path, noPause);
    session.workspace.change(path, text);
    const news = linesOf(found).filter((line) => line.startsWith('error') && !known.has(line));
    if (news.length === 0) {
      sum.silent += 1;
      continue;
    }
    sum.told += 1;
    const isAtLine =
      news.some((line) => line.includes(`${path}:${mutation.line} `)) || isRelated(found, path, mutation.line);
    if (isAtLine) sum.atLine += 1;
    else if (report !== undefined) appendFileSync(report, `${JSON.stringify({ folder, mutation, news })}\n`);
  }
}

/** Whether a line is among those that take part in what is wrong elsewhere. */
const isRelated = (found: Diagnostics, path: string, line: number): boolean =>
  [...found.values()]
    .flat()
    .some(
      ({ level, related }) =>
        level === 'error' && related.some((one) => one.path === path && one.range.start.line + 1 === line),
    );

test.runIf(typed !== undefined)(
  'the time from a keystroke to its diagnostics',
  async () => {
    const path = join(charts, typed ?? '');
    const text = readFileSync(path, 'utf8');
    const client = new Client('bin/tshelm', ['lsp'], process.cwd());
    await client.start();
    client.open(path, text);
    await client.until(() => client.of(path) !== undefined);
    await delay(5000);
    const uri = pathToFileURL(path).href;
    const times: number[] = [];
    for (const [count, line] of text.split('\n').entries()) {
      if (times.length >= 300) break;
      const typedText = `${text.split('\n').slice(0, count).join('\n')}\n# ${line.trim()}${'x'.repeat(count % 7)}\n${text.split('\n').slice(count).join('\n')}`;
      const sent = client.sent.get(uri);
      const start = performance.now();
      client.change(path, typedText);
      await client.until(() => client.sent.get(uri) !== sent);
      times.push(performance.now() - start);
      // Ten keystrokes, and a pause in which the whole chart is looked at.
      await delay(count % 10 === 9 ? 1500 : 120);
    }
    times.sort((a, b) => a - b);
    const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);
    console.log(`${times.length} keystrokes: median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(0.999)} ms`);
    await client.stop();
  },
  hourMs,
);
