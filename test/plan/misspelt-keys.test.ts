import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { install } from '../../src/actions/install.ts';
import { messageText } from '../../src/actions/lint/message.ts';
import { lintChart } from '../../src/actions/lint.ts';
import type { OrderFact } from '../../src/problem/order-fact.ts';
import { factText } from '../../src/words/fact.ts';
import { openWorld } from '../actions/harness.ts';
import { chartOf, resource } from './charts.ts';

const chartYaml = (annotation: string): string =>
  `apiVersion: v2\nname: shop\nversion: 1.0.0\nannotations:\n  ${annotation}: '["db"]'\ndependencies:\n- {name: db, version: 1.0.0}\n`;
const files = (annotation: string, annotations: Readonly<Record<string, string>> = {}) => ({
  'Chart.yaml': chartYaml(annotation),
  'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
  'charts/db/templates/db.yaml': resource('db', { note: '' }),
  'templates/web.yaml': resource('web', { note: '', ...annotations }),
  'values.yaml': '',
});
const rightKey = 'helm.sh/depends-on/subcharts';
const holder = 'ConfigMap/web';

type KeyFact = Extract<OrderFact, { code: 'order-key-misplaced' | 'order-key-unknown' }>;

const unknown = (key: string, meant: string): Extract<OrderFact, { code: 'order-key-unknown' }> => ({
  code: 'order-key-unknown',
  holder: 'Chart.yaml',
  key,
  meant,
});

async function lint(texts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-'));
  try {
    for (const [name, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, 'shop', name)), { recursive: true });
      writeFileSync(join(folder, 'shop', name), text);
    }
    const { messages } = await lintChart(join(folder, 'shop'), { values: new Map(), namespace: 'default' });
    return messages.filter(({ isOwn }) => isOwn).map(messageText);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('an annotation that does nothing is said by install, plan and lint', () => {
  test.each<[string, string, Readonly<Record<string, string>>, KeyFact?, line?: number]>([
    [
      'a misspelt key in Chart.yaml',
      'helm.sh/depends-on/subchart',
      {},
      unknown('helm.sh/depends-on/subchart', rightKey),
    ],
    [
      'a key of resources in Chart.yaml',
      'helm.sh/depends-on/resource-groups',
      {},
      {
        code: 'order-key-misplaced',
        holder: 'Chart.yaml',
        key: 'helm.sh/depends-on/resource-groups',
        instead: rightKey,
        belongsTo: 'resources',
      },
    ],
    [
      'a key of Chart.yaml on a resource',
      rightKey,
      { [rightKey]: 'db' },
      {
        code: 'order-key-misplaced',
        holder,
        key: rightKey,
        instead: 'helm.sh/dependson/chart',
        belongsTo: 'Chart.yaml',
      },
      7,
    ],
    [
      'a key of Chart.yaml misspelt on a resource',
      rightKey,
      { 'helm.sh/depends-on/subchart': 'db' },
      { ...unknown('helm.sh/depends-on/subchart', rightKey), holder, belongsTo: 'Chart.yaml' },
      7,
    ],
    [
      'a misspelt key of a hook',
      rightKey,
      { 'helm.sh/hook': 'pre-install', 'helm.sh/hook-weigth': '5' },
      { ...unknown('helm.sh/hook-weigth', 'helm.sh/hook-weight'), holder },
      8,
    ],
    [
      'one key spelt like another',
      rightKey,
      { 'helm.sh/depends-on/layers': 'one' },
      { ...unknown('helm.sh/depends-on/layers', 'helm.sh/dependson/layer'), holder },
      7,
    ],
    [
      'one without its prefix',
      rightKey,
      { 'dependson/layer': 'one' },
      { ...unknown('dependson/layer', 'helm.sh/dependson/layer'), holder },
      7,
    ],
    ['none of ours', rightKey, { 'helm.sh/chart': 'shop-1.0.0', 'example.com/hook-weigth': '1' }],
  ])('%s', async (_what, annotation, annotations, fact, line) => {
    const place = line === undefined ? 'Chart.yaml:5' : `templates/web.yaml:${line}`;
    const expected = fact === undefined ? [] : [`${place}: ${factText(fact)}`];
    const texts = files(annotation, annotations);
    const { plan } = await install(
      await chartOf(texts),
      new Map(),
      { name: 'rel', wait: 'ordered', dryRun: 'plan' },
      openWorld({ readyAtOnce: true }).context,
    );
    expect(plan.warnings).toEqual(expected.map((text) => `shop/${text}`));
    expect(await lint(texts)).toEqual(expected.map((text) => `[WARNING] ${text}`));
  });

  test('needs in the Chart.yaml of a subchart', async () => {
    const texts = {
      ...files(rightKey),
      'charts/db/Chart.yaml':
        'apiVersion: v2\nname: db\nversion: 1.0.0\nannotations:\n  tshelm.dev/needs: \'["Secret/tls"]\'\n',
    };
    const text = factText({
      code: 'order-key-misplaced',
      holder: 'Chart.yaml',
      key: 'tshelm.dev/needs',
      instead: 'tshelm.dev/needs',
      belongsTo: 'root Chart.yaml',
    });
    const expected = `charts/db/Chart.yaml:5: ${text}`;
    const { plan } = await install(
      await chartOf(texts),
      new Map(),
      { name: 'rel', wait: 'ordered', dryRun: 'plan' },
      openWorld({ readyAtOnce: true }).context,
    );
    expect(plan.warnings).toEqual([`shop/${expected}`]);
    expect(await lint(texts)).toEqual([`[WARNING] ${expected}`]);
  });
});
