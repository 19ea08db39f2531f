import { expect, test } from 'vitest';
import { Tshelm } from '../../src/index.ts';

const tshelm = new Tshelm({ namespace: 'shop' });
const head = 'apiVersion: v2\nname: web\nversion: 0.1.0\n';
const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data: {count: {{ .Values.count }}}
`;
const chartOf = (text: string) =>
  tshelm.chart({ 'Chart.yaml': head, 'values.yaml': 'count: "1"\n', 'templates/web.yaml': text });

test('check() gives findings as data, with the lines', async () => {
  const report = await tshelm.check(chartOf(template), { values: { count: 2 } });
  expect(report).toMatchObject({ isRendered: true, objects: [{ kind: 'ConfigMap', name: 'web', namespace: 'shop' }] });
  expect(report.findings).toMatchObject([
    { level: 'error', code: 'field-type', places: [{ lines: [{ line: 4 }], values: [{ keys: ['count'] }] }] },
  ]);
});

test('a chart that does not render is a finding; rules leave findings out with their reason', async () => {
  const broken = await tshelm.check(chartOf('a: {{ .Values.a.b }}\n'));
  expect(broken.isRendered).toBe(false);
  expect(broken.findings.map(({ level }) => level)).toEqual(['error']);
  const ignore = [{ code: 'field-type', object: 'ConfigMap/web', reason: 'known' }];
  const { findings, ignored } = await tshelm.check(chartOf(template), { values: { count: 2 }, ignore });
  expect(findings).toEqual([]);
  expect(ignored).toMatchObject([{ reason: 'known', problem: { code: 'field-type' } }]);
});

const password = 'hunter2-of-the-user';
const misnamed = (value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${value}_X}\n`;

test('findings are without secrets, of the values and of what the chart renders', async () => {
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: web}\nstringData: {token: made-by-the-chart}\n';
  const chart = tshelm.chart({
    'Chart.yaml': head,
    'templates/web.yaml': `${misnamed('{{ .Values.password }}')}---\n${misnamed('made-by-the-chart')}---\n${secret}`,
  });
  const report = await tshelm.check(chart, { values: { password } });
  expect(report.findings.map(({ code }) => code)).toEqual(['name-invalid', 'name-invalid']);
  expect(JSON.stringify(report)).not.toMatch(/hunter2|made-by-the-chart/);
});
