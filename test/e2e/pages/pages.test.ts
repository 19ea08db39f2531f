import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type AccessibleNode, type Browser, hasBrowser, openBrowser, type Page } from '../support/browser.ts';
import { type Look, looks, type Opened, opened, picture, written } from './opened.ts';
import { halves, inTeams, sideBySide, writeUmbrella } from './umbrella.ts';

const charts = {
  one: sideBySide(1),
  forty: sideBySide(40),
  teams: inTeams(20, 19),
  halves: halves(400),
};

const stack = `releases:
- {name: db, namespace: data, chart: ./one}
- {name: api, namespace: app, chart: ./one, needs: [data/db]}
- {name: web, namespace: app, chart: ./one, needs: [app/api]}
`;

/** Pages by their names, as what is asked for; \`FOLDER\` is where the charts are. */
const pages = {
  'plan of 1': ['plan', 'FOLDER/one', '-o', 'html'],
  'plan of 40': ['plan', 'FOLDER/forty', '-o', 'html'],
  'plan of 400 in teams': ['plan', 'FOLDER/teams', '-o', 'html'],
  'plan of 400 in halves': ['plan', 'FOLDER/halves', '-o', 'html'],
  'dag of 400': ['dag', 'FOLDER/teams', '-o', 'html'],
  'stack dag': ['stack', 'dag', '-f', 'FOLDER/helmfile.yaml', '-o', 'html'],
  'rehearsal of 1': ['rehearse', 'FOLDER/one', '-o', 'html'],
  'rehearsal of 40 that fails': ['rehearse', 'FOLDER/forty', '--fail', 'svc-010', '-o', 'html'],
  'rehearsal of 400': ['rehearse', 'FOLDER/teams', '-o', 'html'],
} as const;
type Name = keyof typeof pages;

describe.skipIf(!hasBrowser)('pages that tshelm draws', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-pages-'));
  const urls = new Map<Name, Promise<string>>();
  let browser: Browser;

  beforeAll(async () => {
    for (const [name, sketch] of Object.entries(charts)) writeUmbrella(join(folder, name), sketch);
    writeFileSync(join(folder, 'helmfile.yaml'), stack);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The page, written when it is first asked for. */
  function urlOf(name: Name): Promise<string> {
    const words = pages[name].map((word) => word.replace('FOLDER', folder));
    const url = urls.get(name) ?? written(folder, name.replaceAll(' ', '-'), words);
    urls.set(name, url);
    return url;
  }

  async function open(name: Name, look: Look = { width: 1440, theme: 'light' }): Promise<Opened> {
    const found = await opened(browser, await urlOf(name), look);
    onTestFinished(() => found.page.close());
    return found;
  }

  describe.each(Object.keys(pages) as Name[])('%s', (name) => {
    test.each(looks)('$width px, $theme: asks for nothing, complains of nothing, fits, can be read', async (look) => {
      const { page, complaints, requests } = await open(name, look);
      await picture(page, `${name.replaceAll(' ', '-')}-${look.width}-${look.theme}`);
      expect(complaints).toEqual([]);
      expect(requests).toEqual([await urlOf(name)]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(look.width);
      expect(await page.evaluate(smallestTitle)).toBeGreaterThanOrEqual(8);
      expect(await page.evaluate(lowestContrast)).toBeGreaterThanOrEqual(4.5);
    });
  });

  test('names in a chart do nothing', async () => {
    const evil = join(folder, 'evil');
    writeUmbrella(evil, { name: 'evil' });
    const name = '</title></script><script>document.title="run"</script><img src=x onerror=alert(1)>';
    writeFileSync(
      join(evil, 'templates/evil.yaml'),
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${JSON.stringify(name)}}\n`,
    );
    const url = await written(folder, 'evil', ['plan', evil, '-o', 'html']);
    const { page, complaints, requests } = await opened(browser, url, { width: 800, theme: 'light' });
    onTestFinished(() => page.close());
    expect(await page.evaluate('document.title')).toBe('install evil in namespace default');
    expect([complaints, requests]).toEqual([[], [url]]);
  });

  describe('a graph', () => {
    test('zooms by keys between bounds, and cannot be moved out of sight', async () => {
      const { page } = await open('plan of 400 in halves');
      await times(40, () => page.keyboard.press('+'));
      const nearest = await scaleOf(page);
      await times(60, () => page.keyboard.press('-'));
      const farthest = await scaleOf(page);
      await page.keyboard.press('0');
      const whole = await scaleOf(page);
      expect(nearest).toBeCloseTo(3);
      expect(farthest).toBeCloseTo(whole / 2);
      await page.keyboard.press('+');
      for (const key of ['ArrowRight', 'ArrowDown']) {
        await page.evaluate(`for (let i = 0; i < 60; i++) ${keyDown(key, true)}`);
        expect(await page.evaluate(isInSight)).toBe(true);
      }
    });

    test('of 400 begins with subcharts closed; one opens and closes in its place', async () => {
      const { page } = await open('plan of 400 in teams');
      expect(await page.evaluate(seenBoxes)).toBeLessThan(60);
      const before = await page.evaluate(placeOf('step2_1'));
      await page.click('#step2_1 > .sign');
      expect(await page.evaluate(`document.getElementById('step2_1').ariaExpanded`)).toBe('true');
      expect(await page.evaluate(placeOf('step2_1'))).toEqual(before);
      expect(await page.evaluate(overlapping)).toEqual([]);
      await page.click('#step2_1 > .sign');
      expect(await page.evaluate(`document.getElementById('step2_1').ariaExpanded`)).toBe('false');
    });

    test('all of it opens and closes; nothing overlaps', async () => {
      const { page } = await open('plan of 400 in teams');
      await page.click('#open');
      expect(await page.evaluate(seenBoxes)).toBe(2 + 21 + 20 * 20);
      expect(await page.evaluate(overlapping)).toEqual([]);
      await page.click('#close');
      expect(await page.evaluate(seenBoxes)).toBe(2 + 21);
    });

    test('the search counts, goes to what it finds inside closed boxes, and ends', async () => {
      const { page } = await open('plan of 400 in teams', { width: 400, theme: 'dark' });
      await page.keyboard.press('/');
      await page.keyboard.type('team-007-app-010');
      expect(await page.evaluate(textOf('#found'))).toBe('1 found');
      await page.keyboard.press('Enter');
      expect(await page.evaluate(textOf('#found'))).toBe('1 of 1');
      expect(await page.evaluate(textOf('aside > section:not([hidden]) h2'))).toBe('chart team-007-app-010');
      expect(await page.evaluate(`${isUncovered}(document.querySelector('.box.picked'))`)).toBe(true);
      await picture(page, 'search-400-dark');
      await page.keyboard.press('Escape');
      expect(await page.evaluate(textOf('#found'))).toBe('');
      expect(await page.evaluate(`document.querySelectorAll('.picked').length`)).toBe(0);
    });

    test('what comes before and after a picked box is marked, through whole columns too', async () => {
      const { page } = await open('plan of 400 in halves');
      await page.evaluate(
        `document.getElementById('step2_300').dispatchEvent(new MouseEvent('click', { bubbles: true }))`,
      );
      expect(await page.evaluate(`document.querySelectorAll('.box.near').length`)).toBe(1 + 200 + 2);
      expect(await page.evaluate(textOf('aside > section:not([hidden])'))).toContain('all 200 of batch 1');
    });

    test('keys walk through it as through a tree, with the box in sight and its details beside it', async () => {
      const { page } = await open('plan of 400 in teams');
      await page.focus('#text');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.id')).toBe('step1');
      for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
      expect(await page.evaluate('document.activeElement.id')).toBe('step2_1_1');
      expect(await page.evaluate(`${inWindow}(document.activeElement)`)).toBe(true);
      await page.keyboard.press('Enter');
      expect(await page.evaluate(textOf('aside > section:not([hidden]) h2'))).toBe('chart team-001-app-001');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      expect(await page.evaluate('document.activeElement.id')).toBe('step2_1');
      await page.keyboard.press('End');
      expect(await page.evaluate(`${inWindow}(document.activeElement)`)).toBe(true);
    });

    test('assistive technology is told of a tree, with what each box is and why it stands there', async () => {
      const { page } = await open('plan of 40');
      const nodes = flat((await page.accessibility.snapshot({ interestingOnly: false })) as AccessibleNode);
      expect(nodes.find(({ role }) => role === 'tree')?.name).toBe('install shop in namespace default');
      const items = nodes.filter(({ role }) => role === 'treeitem');
      expect(items).toHaveLength(2 + 41);
      expect(items.find(({ name }) => name?.startsWith('chart svc-002'))?.name).toBe(
        'chart svc-002, 2 resources, waits for svc-001: Chart.yaml depends-on',
      );
      expect(nodes.filter(({ role, name = '' }) => role === 'button' && name === '')).toEqual([]);
    });

    test('the same as text has every box and every resource, and leads back', async () => {
      const { page } = await open('plan of 400 in teams', { width: 400, theme: 'light' });
      await page.click('#text');
      const text = String(await page.evaluate('document.body.innerText'));
      for (let team = 1; team <= 20; team++)
        expect(text).toContain(`Deployment/team-${String(team).padStart(3, '0')}-app-019`);
      expect(await page.evaluate(`document.getElementById('plan').getClientRects().length > 0`)).toBe(false);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
      await page.click('a[href="#step2_3"]');
      expect(await page.evaluate(`document.getElementById('plan').getClientRects().length > 0`)).toBe(true);
    });

    test('the overview moves what is seen', async () => {
      const { page } = await open('plan of 400 in halves');
      const [left, top, width, height] = (await page.evaluate(frameOf('#overview'))) as number[];
      const before = await page.evaluate(placeOf('step1'));
      await page.mouse.click((left ?? 0) + (width ?? 0) * 0.8, (top ?? 0) + (height ?? 0) / 2);
      expect(await page.evaluate(placeOf('step1'))).not.toEqual(before);
      expect(await page.evaluate(isInSight)).toBe(true);
    });

    test('an address with a box begins there', async () => {
      const url = `${await urlOf('plan of 400 in teams')}#step2_5_3`;
      const { page } = await opened(browser, url, { width: 1440, theme: 'light' });
      onTestFinished(() => page.close());
      expect(await page.evaluate(`document.querySelector('.box.picked').id`)).toBe('step2_5_3');
      expect(await page.evaluate(`${inWindow}(document.querySelector('.box.picked'))`)).toBe(true);
    });
  });

  describe('a timeline', () => {
    test('of 400 begins closed, opens by keys, and finds what is in closed rows', async () => {
      const { page } = await open('rehearsal of 400');
      const seen = `[...document.querySelectorAll('.row')].filter((row) => !row.hidden).length`;
      expect(await page.evaluate(seen)).toBeLessThanOrEqual(60);
      await page.focus('#close');
      await page.keyboard.press('Tab');
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
      expect(await page.evaluate('document.activeElement.innerText')).toContain('batch 1 of 8');
      await page.keyboard.press('/');
      await page.keyboard.type('deployment/team-007-app-010');
      expect(await page.evaluate(textOf('#found'))).toBe('1 found');
      expect(await page.evaluate(`${inWindow}(document.querySelector('.row.found'))`)).toBe(true);
    });

    test('zooms in time between bounds, the axis with it', async () => {
      const { page } = await open('rehearsal of 1');
      const length = `document.querySelector('.track svg').viewBox.baseVal.width`;
      await times(40, () => page.keyboard.press('+'));
      expect(await page.evaluate(length)).toBeCloseTo(1000 / 200);
      const near = await page.evaluate(textOf('.axis'));
      await times(60, () => page.keyboard.press('-'));
      expect(await page.evaluate(length)).toBe(1000);
      expect(await page.evaluate(textOf('.axis'))).not.toBe(near);
    });

    test('assistive technology is told of rows with their times, and of what fails', async () => {
      const { page } = await open('rehearsal of 40 that fails');
      const nodes = flat((await page.accessibility.snapshot({ interestingOnly: false })) as AccessibleNode);
      expect(nodes.some(({ role }) => role === 'treegrid')).toBe(true);
      const names = nodes.filter(({ role }) => role === 'row').map(({ name }) => name ?? '');
      expect(names.find((name) => /^Deployment\/svc-010\b.*failed/.test(name))).toBeDefined();
      expect(await page.evaluate('document.body.innerText')).toContain('never started');
    });
  });
});

const times = async (count: number, act: () => Promise<void>): Promise<void> => {
  for (let done = 0; done < count; done++) await act();
};

const flat = (node: AccessibleNode): readonly AccessibleNode[] => [node, ...(node.children ?? []).flatMap(flat)];

const scaleOf = async (page: Page): Promise<number> =>
  Number(
    await page.evaluate(
      `document.getElementById('plan').clientWidth / document.getElementById('plan').viewBox.baseVal.width`,
    ),
  );

const textOf = (selector: string): string => `document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`;
const frameOf = (selector: string): string =>
  `(({ left, top, width, height }) => [left, top, width, height])(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`;
const placeOf = (id: string): string =>
  `(({ left, top }) => [Math.round(left), Math.round(top)])(document.getElementById('${id}').getBoundingClientRect())`;
const keyDown = (key: string, shiftKey: boolean): string =>
  `document.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', shiftKey: ${shiftKey}, bubbles: true }));`;

const inWindow = `((element) => {
  const around = (document.getElementById('plan') ?? document.documentElement).getBoundingClientRect();
  const { left, right, top, bottom } = (element.querySelector('.frame') ?? element).getBoundingClientRect();
  return left < around.right && right > around.left && top < innerHeight && bottom > 0;
})`;

/** Whether nothing lies on the corners of a box, and they are in the window. */
const isUncovered = `((box) => {
  const { left, right, top, bottom } = box.querySelector('.frame').getBoundingClientRect();
  const corners = [[left + 9, top + 9], [right - 9, top + 9], [left + 9, bottom - 9], [right - 9, bottom - 9]];
  return corners.every(([x, y]) => box.contains(document.elementFromPoint(x, y)));
})`;

/** Whether anything of the drawing is seen. */
const isInSight = `(() => {
  const around = document.getElementById('plan').getBoundingClientRect();
  const { left, right, top, bottom } = document.querySelector('#plan > .level').getBoundingClientRect();
  return left < around.right && right > around.left && top < around.bottom && bottom > around.top;
})()`;

const seenBoxes = `[...document.querySelectorAll('#plan .box')].filter((box) => box.getClientRects().length > 0).length`;

/** Boxes of one level that lie on each other, and boxes that leave the one they are in. */
const overlapping = `(() => {
  const found = [];
  for (const level of document.querySelectorAll('#plan .level')) {
    if (level.getClientRects().length === 0) continue;
    const boxes = [...level.children].filter((child) => child.classList.contains('box'));
    const frames = boxes.map((box) => box.querySelector('.frame').getBoundingClientRect());
    const outer = level.closest('.box')?.querySelector('.frame').getBoundingClientRect();
    for (const [index, a] of frames.entries()) {
      if (outer && (a.left < outer.left || a.right > outer.right + 0.1 || a.top < outer.top || a.bottom > outer.bottom + 0.1))
        found.push(boxes[index].id + ' leaves its box');
      for (let other = index + 1; other < frames.length; other++) {
        const b = frames[other];
        if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
          found.push(boxes[index].id + ' on ' + boxes[other].id);
      }
    }
  }
  return found;
})()`;

/** The height in pixels of the smallest letters of titles and names that are seen at first. */
const smallestTitle = `(() => {
  const heights = [...document.querySelectorAll('#plan .title, .row .text')]
    .filter((text) => text.getClientRects().length > 0)
    .map((text) => {
      const scale = text.getScreenCTM?.().a ?? 1;
      return parseFloat(getComputedStyle(text).fontSize) * scale;
    });
  return Math.min(...heights);
})()`;

/** The lowest contrast (WCAG) of the colours of texts on those of what they stand on. */
const lowestContrast = `(() => {
  const style = getComputedStyle(document.documentElement);
  const probe = document.createElement('canvas').getContext('2d');
  const light = (name) => {
    probe.fillStyle = style.getPropertyValue(name).trim();
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(probe.fillStyle.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const grounds = ['--page', '--band', '--box', '--step', '--chart', '--group', '--hook', '--release'];
  const pairs = grounds.flatMap((ground) => [['--ink', ground], ['--soft', ground]]);
  pairs.push(['--focus', '--page'], ['--warn', '--page'], ['--bad', '--page'], ['--critical', '--page'], ['--critical', '--band']);
  return Math.min(...pairs.map(([text, ground]) => contrast(text, ground)));
})()`;
