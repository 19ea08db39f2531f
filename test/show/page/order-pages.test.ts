import { expect, test } from 'vitest';
import { chartUnit } from '../../../src/plan/dag.ts';
import { prepareChart } from '../../../src/render/release.ts';
import { chartOrderPage } from '../../../src/show/page/page.ts';
import { timelinePage } from '../../../src/show/page/timeline-page.ts';
import type { TimelineRow } from '../../../src/show/timeline/types.ts';
import { batchesText, chartOf, layeredChart } from '../../plan/charts.ts';

test('the order of charts alone, with what each waits for and why', async () => {
  const chart = await chartOf(layeredChart);
  const unit = chartUnit(chart, prepareChart(chart, new Map()).chart);
  expect(batchesText(unit)).toBe('[web] [bar] [foo]');
  const html = chartOrderPage(unit);
  expect(html).toContain('aria-label="chart bar, waits for web: Chart.yaml depends-on"');
  expect(html).toContain('<title>Order of chart foo</title>');
});

test('a chart without subcharts is one box', async () => {
  const chart = await chartOf({ 'Chart.yaml': 'name: alone' });
  const unit = chartUnit(chart, prepareChart(chart, new Map()).chart);
  expect(batchesText(unit)).toBe('[alone]');
});

const row = (depth: number, text: string, others: Partial<TimelineRow> = {}): TimelineRow => ({
  depth,
  text,
  time: '',
  isCritical: false,
  ...others,
});
const done = { startMs: 250, endMs: 500, state: 'done' } as const;

test('a timeline: bars where their time is, titles over all that is in them', () => {
  const rows = [row(0, 'apply shop'), row(1, 'Job/a', { span: done, isCritical: true })];
  const html = timelinePage([{ title: 'install <shop>', totalMs: 1000, rows, sections: [] }]);
  expect(html).toContain('<h1>install &lt;shop&gt;</h1>');
  const bars = [...html.matchAll(/<rect class="(bar[^"]*)" x="([^"]*)" width="([^"]*)" height="10"/g)];
  expect(bars.map(([, classes, x, width]) => `${classes} ${x} ${width}`)).toEqual([
    'bar done critical group 250.00 250.00',
    'bar done critical 250.00 250.00',
  ]);
});

test('of many rows those deep inside begin closed', () => {
  const team = (name: string): readonly TimelineRow[] => [
    row(1, name),
    ...Array.from({ length: 30 }, (_, index) => row(2, `${name}-${index}`, { span: done })),
  ];
  const rows = [row(0, 'apply'), ...team('a'), ...team('b'), ...team('c')];
  const html = timelinePage([{ title: '', totalMs: 1000, rows, sections: [] }]);
  expect([...html.matchAll(/ aria-expanded="(\w+)"/g)].map(([, open]) => open)).toEqual([
    'true',
    'false',
    'false',
    'false',
  ]);
});
