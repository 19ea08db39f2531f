import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { planInstall, planUninstall } from '../../../src/plan/plan.ts';
import { planPage } from '../../../src/show/page/page.ts';
import { arranged, layeredChart as files, resource } from '../../plan/charts.ts';
import { hookOf } from '../../plan/manifests.ts';

async function page(given: Readonly<Record<string, string>>, warnings: readonly string[] = []): Promise<string> {
  const { unit, rendered } = await arranged(given);
  const { manifests } = rendered;
  const hooks = [hookOf('migrate', { weight: 5 })];
  return planPage(
    planInstall({ release: 'rel', namespace: 'default', strategy: 'ordered', manifests, hooks, unit, warnings }),
  );
}

/** The side panel of the box with this title, without its tags. */
const panelOf = (html: string, title: string): string => {
  const panels = [...html.matchAll(/<section[^>]*>(.*?)<\/section>/gs)].map(([, text = '']) => text);
  const panel = panels.find((text) => text.includes(`${title}</h2>`)) ?? '';
  return panel
    .replaceAll(/<\/(?:h2|h3|li|p)>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\n+/g, '\n')
    .trim();
};

test('each box with what it holds and why it stands there', async () => {
  const html = await page(files);
  expect(panelOf(html, 'chart bar')).toBe(
    'chart bar\nin apply foo\nWhy it is here\nwaits for web: Chart.yaml depends-on\nComes after\nweb\nComes before\nfoo\nResources\nConfigMap/bar',
  );
  expect(panelOf(html, 'resource group two')).toContain('waits for one: dependson.helm.sh/layer');
  expect(panelOf(html, 'chart web')).toContain('One after another\none\ntwo');
  expect(panelOf(html, 'hook Job/migrate')).toContain('has the lowest weight: helm.sh/hook-weight 5, then by name');
  expect(panelOf(html, 'step apply foo')).toContain('waits for the step before it');
});

test('every box and every arrow end has its element, and every id one', async () => {
  const html = await page(files);
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const ends = [...html.matchAll(/data-(?:from|to|of)=(?!"search")"([^"]+)"/g)].map(([, id = '']) => id);
  expect(ends.length).toBeGreaterThan(10);
  expect(ids).toEqual(expect.arrayContaining(ends));
  expect(html.match(/class="caption"[^>]*>[^<]*/g)?.map((text) => text.replace(/.*>/, ''))).toEqual([
    'batch 1',
    'batch 2',
    'batch 3',
    'batch 1',
    'batch 2',
  ]);
});

test('names cannot leave their place, and nothing is loaded', async () => {
  const evil = '</title></svg></script><script>alert(1)</script><img src=x onerror="alert(2)">\'';
  const html = await page(
    {
      'Chart.yaml': 'name: foo',
      'templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${JSON.stringify(evil)}}\n`,
    },
    [`warning of ${evil}`],
  );
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toContain('<img');
  expect(html).not.toMatch(/(?:src|href)="(?!#)/);
  expect(html).not.toMatch(/https?:|\burl\((?!#tip)|@import/);
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(2)&quot;&gt;&#39;');
});

test('the policy allows just the script and the style that the page carries', async () => {
  const html = await page(files);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
  const hash = (tag: string): string => {
    const text = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(html)?.[1] ?? '';
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  expect(policy).toBe(`default-src 'none'; style-src ${hash('style')}; script-src ${hash('script')}`);
});

test('a plan backwards, and one with nothing to do', async () => {
  const { unit, rendered } = await arranged(files);
  const { manifests } = rendered;
  const plan = planUninstall({ release: 'rel', namespace: 'default', strategy: 'ordered', manifests, hooks: [], unit });
  expect(panelOf(planPage(plan), 'chart web')).toContain('waits for bar: depends on it');
  expect(planPage({ ...plan, steps: [] })).toContain('There is nothing to do.');
});

test('long contents are shortened in the drawing and whole beside it', async () => {
  const many = Array.from({ length: 9 }, (_, index) => resource(`c${index}`)).join('---\n');
  const html = await page({
    'Chart.yaml': 'name: foo',
    'templates/a.yaml': many,
    'templates/l.yaml': resource('x'.repeat(90)),
  });
  expect(html).toContain('>and 6 more</text>');
  expect(html).not.toContain(`ConfigMap/${'x'.repeat(60)}</text>`);
  expect(html).toContain(`<code>ConfigMap/${'x'.repeat(90)}</code>`);
});
