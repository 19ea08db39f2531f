import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { chartFromFiles } from '../../src/chart/assemble.ts';
import { loadChart } from '../../src/chart/load.ts';
import { ignoreNotices } from '../../src/chart/notice.ts';
import { showText } from '../../src/chart/show.ts';

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url));

test.each(['chart', 'values', 'readme', 'crds', 'all'] as const)('show %s is what Helm shows', async (section) => {
  const chart = await loadChart(`${fixtures}/charts/shown`);
  expect(showText(chart, section)).toBe(readFileSync(`${fixtures}/show/${section}.txt`, 'utf8'));
});

test('a dependency without a name shows that it has none, as in Helm', async () => {
  const text = 'apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{version: "1"}]\n';
  const file = { name: 'Chart.yaml', data: Buffer.from(text), modifiedAt: new Date(0) };
  const chart = chartFromFiles([file], { origin: 'web', notify: ignoreNotices });
  expect(showText(chart, 'chart')).toContain('dependencies:\n- name: ""\n  repository: ""\n  version: "1"\n');
});
