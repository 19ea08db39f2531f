import { chartFromFiles } from '../../src/chart/assemble.ts';
import { readOrderFile } from '../../src/chart/order-file.ts';
import type { Chart } from '../../src/chart/types.ts';
import { orderedUnit } from '../../src/plan/ordered.ts';
import { withOrderFile } from '../../src/plan/outside-order.ts';
import type { BatchNode, Unit } from '../../src/plan/types.ts';
import { prepareChart, renderRelease } from '../../src/render/release.ts';
import { readYamlMap } from '../../src/yaml/index.ts';

/** A chart from the texts of its files, by name; a Chart.yaml without an apiVersion gets what Helm demands beside its name. */
export const chartOf = (files: Readonly<Record<string, string>>): Promise<Chart> =>
  Promise.resolve(
    chartFromFiles(
      Object.entries(files).map(([name, text]) => ({
        name,
        modifiedAt: new Date(0),
        data: Buffer.from(
          name.endsWith('Chart.yaml') && !/^apiVersion:/m.test(text)
            ? `${text}\napiVersion: v2\nversion: 1.0.0\n`
            : text,
        ),
      })),
      { origin: '', notify: () => undefined },
    ),
  );

/** A ConfigMap with annotations, as a template. */
export const resource = (
  name: string,
  annotations: Readonly<Record<string, unknown>> = {},
  kind = 'ConfigMap',
): string =>
  `apiVersion: ${kind === 'ConfigMap' ? 'v1' : 'apps/v1'}\nkind: ${kind}\nmetadata:\n  name: ${name}\n  annotations:\n${Object.entries(
    annotations,
  )
    .map(([key, value]) => `    ${key}: ${JSON.stringify(value)}\n`)
    .join('')}`;

/** The chart rendered and arranged as `--wait=ordered` does it. */
export async function arranged(
  files: Readonly<Record<string, string>>,
  values = '{}',
  { order, ...allowance }: Parameters<typeof orderedUnit>[3] & { readonly order?: string | undefined } = {},
) {
  const loaded = await chartOf(files);
  const chart = order === undefined ? loaded : withOrderFile(loaded, readOrderFile(order, 'order.yaml'));
  const userValues = readYamlMap(values);
  const prepared = prepareChart(chart, userValues);
  const rendered = await renderRelease(prepared, userValues, {
    release: { name: 'rel', namespace: 'default', revision: 1, isInstall: true },
    legalAnnotations: true,
  });
  return { ...orderedUnit(chart, prepared.chart, rendered.manifests, allowance), rendered };
}

/** `[nginx, rabbitmq] [bar] [orphaned, foo]`; a subchart with several batches shows them: `bar{[a] [b]}`. */
export const batchesText = (unit: Unit): string =>
  unit.batches.map(({ nodes }) => `[${nodes.map(nodeText).join(', ')}]`).join(' ');

function nodeText(node: BatchNode): string {
  if (node.kind === 'resources') return node.name;
  return node.unit.batches.length > 1 ? `${node.unit.name}{${batchesText(node.unit)}}` : node.unit.name;
}

/** The same with the names of the resources, subcharts' own left inside theirs. */
export const resourcesText = (unit: Unit): string =>
  unit.batches
    .map(({ nodes }) => {
      const names = nodes.flatMap((node) =>
        node.kind === 'unit' ? [`${node.unit.name}`] : node.manifests.map(({ object }) => object.metadata.name),
      );
      return `[${names.join(', ')}]`;
    })
    .join(' ');

/** A chart with two subcharts in order, layers in one of them, and a resource of its own. */
export const layeredChart = {
  'Chart.yaml':
    'name: foo\ndependencies:\n- {name: bar, version: 1.0.0, depends-on: [web]}\n- {name: web, version: 1.0.0}\n',
  'charts/bar/Chart.yaml': 'name: bar',
  'charts/bar/templates/a.yaml': resource('bar'),
  'charts/web/Chart.yaml': 'name: web',
  'charts/web/templates/a.yaml': `${resource('first', { 'helm.sh/layer': 'one' })}---\n${resource('second', { 'helm.sh/layer': 'two', 'helm.sh/dependson/layer': 'one' })}`,
  'templates/own.yaml': resource('sayhi'),
};
