import { messageOf, TshelmError } from '../support/errors.ts';
import { type JsonPath, jsonPath } from '../support/jsonpath.ts';
import { decodeText } from '../support/text.ts';
import { GoError, type Value } from '../support/value.ts';
import { writeYaml } from '../support/yaml/index.ts';
import { crdFiles } from './paths.ts';
import type { Chart, ChartFile, ChartMetadata, Dependency } from './types.ts';

export type ShowSection = 'chart' | 'values' | 'readme' | 'crds' | 'all';

/** What `helm show chart|values|readme|crds|all` prints of a chart (action.Show). */
export function showText(chart: Chart, section: ShowSection): string {
  const wanted = (each: ShowSection): boolean => section === each || section === 'all';
  const rule = section === 'all' ? '---\n' : '';
  const values = chart.raw.find(({ name }) => name === 'values.yaml');
  const readme = readmeFile(chart);
  return [
    wanted('chart') ? `${writeYaml(metadataValue(chart.metadata))}\n` : '',
    wanted('values') && values !== undefined ? `${rule}${textOf(values)}\n` : '',
    wanted('readme') && readme !== undefined ? `${rule}${textOf(readme)}\n` : '',
    wanted('crds') ? crdFiles(chart).map(crdText).join('') : '',
  ].join('');
}

/**
 * What `helm show values --jsonpath` prints. As in Helm a path that leads to nothing prints nothing.
 * Fails with `invalid-jsonpath` for a template that cannot be read.
 */
export function showValuesAt(chart: Chart, template: string): string {
  const path = readTemplate(template);
  try {
    return path.text(chart.values);
  } catch (error) {
    if (error instanceof GoError) return '';
    throw error;
  }
}

function readTemplate(template: string): JsonPath {
  try {
    return jsonPath(template);
  } catch (cause) {
    const message = `error parsing jsonpath ${template}: ${messageOf(cause)}`;
    throw new TshelmError('invalid-jsonpath', { message, details: { template }, cause });
  }
}

/** README.md, README.txt or README of the chart itself, in any case. */
export const readmeFile = (chart: Chart): ChartFile | undefined =>
  chart.files.find(({ name }) => /^readme(?:\.md|\.txt)?$/i.test(name));

const textOf = ({ data }: { readonly data: Uint8Array }): string => decodeText(data);

function crdText(crd: { readonly data: Uint8Array }): string {
  const text = textOf(crd);
  return `${text.startsWith('---') ? '' : '---\n'}${text}\n`;
}

/** Chart.yaml's fields by their names there; what is empty is left out, as in Go. */
function metadataValue(metadata: ChartMetadata): Value {
  const {
    maintainers = [],
    dependencies = [],
    annotations,
    sources,
    keywords,
    runHooksInParallel,
    ...texts
  } = metadata;
  return nonEmpty({
    ...texts,
    sources: sources && [...sources],
    keywords: keywords && [...keywords],
    maintainers: maintainers.map((maintainer) => nonEmpty({ ...maintainer })),
    annotations: annotations && new Map(Object.entries(annotations)),
    dependencies: dependencies.map(dependencyValue),
    runHooksInParallel,
  });
}

function dependencyValue({ name, importValues, dependsOn, tags, repository = '', ...texts }: Dependency): Value {
  const value = nonEmpty({
    ...texts,
    tags: tags && [...tags],
    'import-values': importValues && ([...importValues] as Value[]),
    'depends-on': dependsOn && [...dependsOn],
  });
  return value.set('name', name).set('repository', repository);
}

function nonEmpty(fields: Readonly<Record<string, Value>>): Map<string, Value> {
  const isEmpty = (value: Value): boolean =>
    value === undefined ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0) ||
    (value instanceof Map && value.size === 0);
  return new Map(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}
