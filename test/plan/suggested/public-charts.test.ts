import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { suggestOrder } from '../../../src/actions/suggest-order.ts';
import { templateChart } from '../../../src/actions/template.ts';
import { loadChart } from '../../../src/chart/load.ts';
import { readOrderFile } from '../../../src/chart/order-file.ts';
import { mergeValues } from '../../../src/chart/value-options.ts';
import { withOrderFile } from '../../../src/plan/outside-order.ts';
import { rsaKey } from '../../support/rsa-keys.ts';

/** Charts in wide use, with the values of their own tests: `cases.tsv` as test/render/public-charts.test.ts has it. */
const folder = process.env['TSHELM_CHARTS'] ?? join(import.meta.dirname, '../../../../shared/charts');
const isThere = existsSync(join(folder, 'cases.tsv'));
const because = isThere ? '' : ` (skipped: there is no ${join(folder, 'cases.tsv')})`;

const cases = isThere
  ? readFileSync(join(folder, 'cases.tsv'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((row) => row.split('\t'))
      .filter(([, , , extra, result]) => extra === '-' && result === 'ok')
      .map(([id = '', chart = '', values = '']) => ({ id, chart, values }))
  : [];

describe.skipIf(!isThere)(`what is suggested for public charts can be deployed${because}`, () => {
  test('there are cases', () => expect(cases.length).toBeGreaterThan(0));

  test.each(cases)('$id', async ({ chart: archive, values }) => {
    const chart = await loadChart(join(folder, archive));
    const valueFiles = values === '-' ? [] : [join(folder, values)];
    const given = await mergeValues({ valueFiles }, { readStdin: async () => new Uint8Array() });
    const options = { name: 'rel', namespace: 'ns', kubeVersion: '1.33.0', now: () => new Date(0), rsaKey };
    const { text } = await suggestOrder(chart, given, options);
    const ordered = withOrderFile(chart, readOrderFile(text, 'order.yaml'));
    // A cycle, or a rule that selects nothing, would be an error; a hazard too.
    const { output } = await templateChart(ordered, given, {
      ...options,
      wait: 'ordered',
      strictPlan: true,
      allowLostOrder: true,
    });
    expect(output).not.toBe('');
  });
});
