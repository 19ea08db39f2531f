import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { templateChart } from '../../../src/actions/template.ts';
import { loadChart } from '../../../src/chart/load.ts';
import { mergeValues } from '../../../src/chart/value-options.ts';
import { rsaKey } from '../../support/rsa-keys.ts';

/** Charts in wide use, with the values of their own tests: `cases.tsv` as test/render/public-charts.test.ts has it. */
const folder = process.env['TSHELM_CHARTS'] ?? join(import.meta.dirname, '../../../../shared/charts');
const isThere = existsSync(join(folder, 'cases.tsv'));
const because = isThere ? '' : ` (skipped: there is no ${join(folder, 'cases.tsv')})`;

/** Chart and values file of each case that renders without further arguments. */
const cases = isThere
  ? readFileSync(join(folder, 'cases.tsv'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((row) => row.split('\t'))
      .filter(([, , , extra, result]) => extra === '-' && result === 'ok')
      .map(([id = '', chart = '', values = '']) => ({ id, chart, values }))
  : [];

describe.skipIf(!isThere)(`public charts raise no false alarm${because}`, () => {
  test('there are cases', () => expect(cases.length).toBeGreaterThan(0));

  test.each(cases)('$id', async ({ chart, values }) => {
    const valueFiles = values === '-' ? [] : [join(folder, values)];
    const given = await mergeValues({ valueFiles }, { readStdin: async () => new Uint8Array() });
    for (const wait of ['watcher', 'ordered'] as const) {
      // Nothing tells a chart that never had an order from one whose order Helm dropped.
      const allowed = { strictPlan: true, allowLostOrder: true };
      const options = { name: 'rel', namespace: 'ns', kubeVersion: '1.33.0', wait, rsaKey, ...allowed };
      await expect(templateChart(await loadChart(join(folder, chart)), given, options)).resolves.toBeDefined();
    }
  });
});
