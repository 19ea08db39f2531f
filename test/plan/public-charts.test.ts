import { describe, expect, test } from 'vitest';
import { suggestOrder } from '../../src/actions/suggest-order.ts';
import { templateChart } from '../../src/actions/template.ts';
import { readOrderFile } from '../../src/chart/order-file.ts';
import { mergeValues } from '../../src/chart/value-options.ts';
import { withOrderFile } from '../../src/plan/outside-order.ts';
import { absence, hasCharts, publicCases, publicChart } from '../support/public-charts.ts';
import { rsaKey } from '../support/rsa-keys.ts';

const cases = publicCases.filter(({ renders, extra }) => renders && extra === '');

const options = { name: 'rel', namespace: 'ns', kubeVersion: '1.33.0', now: () => new Date(0), rsaKey };

// A hazard is an error then. Nothing tells a chart that never had an order from one whose order Helm dropped.
const strict = { ...options, strictPlan: true, allowLostOrder: true };

describe.skipIf(!hasCharts)(`public charts${absence}`, () => {
  test('there are cases', () => expect(cases.length).toBeGreaterThan(0));

  describe.each(cases)('$id', ({ archive, valueFiles }) => {
    const values = () => mergeValues({ valueFiles }, { readStdin: async () => new Uint8Array() });

    test.each(['watcher', 'ordered'] as const)('raises no false alarm with %s', async (wait) => {
      const { output } = await templateChart(await publicChart(archive), await values(), { ...strict, wait });
      expect(output).not.toBe('');
    });

    test('can be deployed in the order that is suggested', async () => {
      const chart = await publicChart(archive);
      const given = await values();
      const { text } = await suggestOrder(chart, given, options);
      const ordered = withOrderFile(chart, readOrderFile(text, 'order.yaml'));
      // A cycle, or a rule that selects nothing, would be an error.
      const { output } = await templateChart(ordered, given, { ...strict, wait: 'ordered' });
      expect(output).not.toBe('');
    });
  });
});
