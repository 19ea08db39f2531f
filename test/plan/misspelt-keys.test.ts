import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { install } from '../../src/actions/install.ts';
import { messageText } from '../../src/actions/lint/message.ts';
import { lintChart } from '../../src/actions/lint.ts';
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

async function lint(texts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-'));
  try {
    for (const [name, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, 'shop', name)), { recursive: true });
      writeFileSync(join(folder, 'shop', name), text);
    }
    const { messages } = await lintChart(join(folder, 'shop'), { values: new Map(), namespace: 'default' });
    return messages.map(messageText).filter((text) => text.includes('has the annotation'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('an annotation that does nothing is said by install, plan and lint', () => {
  test.each<[string, string, Readonly<Record<string, string>>, string]>([
    [
      'a misspelt key in Chart.yaml',
      'helm.sh/depends-on/subchart',
      {},
      'Chart.yaml:5: Chart.yaml has the annotation helm.sh/depends-on/subchart, which is unknown; did you mean helm.sh/depends-on/subcharts?',
    ],
    [
      'a key of resources in Chart.yaml',
      'helm.sh/depends-on/resource-groups',
      {},
      'Chart.yaml:5: Chart.yaml has the annotation helm.sh/depends-on/resource-groups, which only has a meaning on resources; the order of subcharts is declared with helm.sh/depends-on/subcharts',
    ],
    [
      'a key of Chart.yaml on a resource',
      rightKey,
      { [rightKey]: 'db' },
      'templates/web.yaml:7: ConfigMap/web has the annotation helm.sh/depends-on/subcharts, which only has a meaning in Chart.yaml; a resource waits for a subchart with helm.sh/dependson/chart',
    ],
    [
      'a key of Chart.yaml misspelt on a resource',
      rightKey,
      { 'helm.sh/depends-on/subchart': 'db' },
      'templates/web.yaml:7: ConfigMap/web has the annotation helm.sh/depends-on/subchart, which is unknown; did you mean helm.sh/depends-on/subcharts in Chart.yaml?',
    ],
    [
      'a misspelt key of a hook',
      rightKey,
      { 'helm.sh/hook': 'pre-install', 'helm.sh/hook-weigth': '5' },
      'templates/web.yaml:8: ConfigMap/web has the annotation helm.sh/hook-weigth, which is unknown; did you mean helm.sh/hook-weight?',
    ],
    [
      'one key spelt like another',
      rightKey,
      { 'helm.sh/depends-on/layers': 'one' },
      'templates/web.yaml:7: ConfigMap/web has the annotation helm.sh/depends-on/layers, which is unknown; did you mean helm.sh/dependson/layer?',
    ],
    [
      'one without its prefix',
      rightKey,
      { 'dependson/layer': 'one' },
      'templates/web.yaml:7: ConfigMap/web has the annotation dependson/layer, which is unknown; did you mean helm.sh/dependson/layer?',
    ],
    ['none of ours', rightKey, { 'helm.sh/chart': 'shop-1.0.0', 'example.com/hook-weigth': '1' }, ''],
  ])('%s', async (_what, annotation, annotations, expected) => {
    const texts = files(annotation, annotations);
    const { plan } = await install(
      await chartOf(texts),
      new Map(),
      { name: 'rel', wait: 'ordered', dryRun: 'plan' },
      openWorld({ readyAtOnce: true }).context,
    );
    expect(plan.warnings).toEqual(expected === '' ? [] : [`shop/${expected}`]);
    expect(await lint(texts)).toEqual(expected === '' ? [] : [`[WARNING] ${expected}`]);
  });
});
