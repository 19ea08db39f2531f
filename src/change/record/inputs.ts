import { createHash, type Hash } from 'node:crypto';
import type { Chart, ChartFile } from '../../chart/types.ts';
import { writeJson } from '../../go/json/json.ts';
import type { GoMap } from '../../go/value.ts';
import type { OperationInputs } from '../../release/types.ts';

/** What a release is made of, as digests: the contents of the chart and its subcharts, and the user's values. */
export function inputsOf(chart: Chart, values: GoMap): OperationInputs {
  const hash = createHash('sha256');
  addChart(hash, chart);
  return { chart: hash.digest('hex'), values: createHash('sha256').update(writeJson(values)).digest('hex') };
}

function addChart(hash: Hash, chart: Chart): void {
  hash.update(`chart ${JSON.stringify(chart.metadata)}\n${writeJson(chart.values)}\n`);
  for (const file of [...chart.templates, ...chart.files]) addFile(hash, file);
  if (chart.schema !== undefined) addFile(hash, { name: 'values.schema.json', data: chart.schema });
  hash.update(`subcharts ${chart.dependencies.length}\n`);
  for (const subchart of chart.dependencies) addChart(hash, subchart);
}

const addFile = (hash: Hash, { name, data }: ChartFile): void =>
  void hash.update(`file ${JSON.stringify(name)} ${data.length}\n`).update(data);
