import { type JsonPath, jsonPath } from '../go/jsonpath/jsonpath.ts';
import { decodeText } from '../go/text.ts';
import { GoError } from '../go/value.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { writeYaml } from '../yaml/index.ts';
import { metadataValue } from './metadata-value.ts';
import { crdFiles } from './paths.ts';
import type { Chart, ChartFile } from './types.ts';

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
const readmeFile = (chart: Chart): ChartFile | undefined =>
  chart.files.find(({ name }) => ['readme', 'readme.md', 'readme.txt'].includes(name.toLowerCase()));

const textOf = ({ data }: { readonly data: Uint8Array }): string => decodeText(data);

function crdText(crd: { readonly data: Uint8Array }): string {
  const text = textOf(crd);
  return `${text.startsWith('---') ? '' : '---\n'}${text}\n`;
}
