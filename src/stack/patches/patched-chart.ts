import { type TemplateOptions, templateChart } from '../../actions/template.ts';
import { chartFromFiles } from '../../chart/assemble.ts';
import { ignoreNotices } from '../../chart/notice.ts';
import type { Chart } from '../../chart/types.ts';
import { decodeText, encodeText } from '../../go/text.ts';
import type { GoMap } from '../../go/value.ts';
import { parseManifests } from '../../manifest/parse.ts';
import { readPlainYaml, writePlainYamlInOrder } from '../../yaml/index.ts';

/**
 * A chart whose templates print what the chart renders with these values and the post-renderer of the options: what
 * helmfile hands to `helm lint` for a release with patches (chartify). Errors: those of templateChart.
 */
export async function patchedChart(chart: Chart, values: GoMap, options: TemplateOptions): Promise<Chart> {
  const { output } = await templateChart(chart, values, options);
  const modifiedAt = new Date(0);
  const kept = chart.raw.filter(
    ({ name }) => !/^(?:templates|charts)\/|^Chart\.(?:yaml|lock)$|^requirements\./.test(name),
  );
  const yaml = chart.raw.find(({ name }) => name === 'Chart.yaml');
  const { dependencies: _rendered, ...head } = readPlainYaml(decodeText(yaml?.data ?? new Uint8Array())) as {
    dependencies?: unknown;
  };
  const rendered = [...textsBySource(output)].flatMap(([name, text]) => [
    { name: `files/${name}`, data: encodeText(text), modifiedAt },
    { name, data: encodeText(`{{ .Files.Get "files/${name}" }}`), modifiedAt },
  ]);
  const files = [
    { name: 'Chart.yaml', data: encodeText(writePlainYamlInOrder(head)), modifiedAt },
    ...kept.map(({ name, data }) => ({ name, data, modifiedAt })),
    ...rendered,
  ];
  return chartFromFiles(files, { origin: chart.origin, notify: ignoreNotices });
}

/** What came of each template, below `templates/`: also of those of subcharts. */
function textsBySource(output: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { source, text } of parseManifests(output)) {
    const path = source.split('/').slice(1).join('/');
    const name = path.startsWith('templates/') ? path : `templates/${path}`;
    texts.set(name, `${texts.get(name) ?? ''}---\n${text}`);
  }
  return texts;
}
