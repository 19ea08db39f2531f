import { basename, join } from 'node:path';
import type { Value } from '../go/value.ts';
import { messageOf } from '../support/errors.ts';
import { TemplateSet } from '../template/template-set.ts';
import { isLocalChart, repositoryChart } from './chart-reference.ts';
import { environmentObject } from './environment.ts';
import { releaseStruct } from './hooks.ts';
import type { StackFile } from './read-stack.ts';
import { invalid } from './reading.ts';
import type { ReleaseSpec } from './schema.ts';

export interface FetchPlace {
  /** As it was given. */
  readonly outputDirectory: string;
  /** A Go template of the folder; '' for helmfile's own. */
  readonly template: string;
}

const defaultFetchTemplate = join(
  '{{ .OutputDir }}{{ if .Release.Namespace }}',
  '{{ .Release.Namespace }}{{ end }}{{ if .Release.KubeContext }}',
  '{{ .Release.KubeContext }}{{ end }}',
  '{{ .Release.Name }}',
  '{{ .ChartName }}',
  '{{ or .Release.Version "latest" }}',
);

/** The folder that `fetch` brings a release's chart to. HelmState.generateChartPath. Errors: `stack-invalid`. */
export function fetchedChartPath(
  release: ReleaseSpec,
  file: StackFile,
  { outputDirectory, template }: FetchPlace,
): string {
  const data = new Map<string, Value>([
    ['ChartName', nameOfChart(release, file)],
    ['OutputDir', outputDirectory],
    ['Release', releaseStruct(release)],
    ['Environment', environmentObject(file.environment)],
  ]);
  try {
    const set = new TemplateSet({ name: 'output-dir-template', functions: {}, missingKey: 'default' });
    return set.executeSource('output-dir-template', template || defaultFetchTemplate, data);
  } catch (cause) {
    throw invalid(file.place.file, `the template of the output folders ${template}: ${messageOf(cause)}`, cause);
  }
}

/** A folder's last part; of a registry the last part of the chart's name, of a repository the whole. */
function nameOfChart({ chart = '', ...release }: ReleaseSpec, { spec }: StackFile): string {
  const reference = spec.chart ?? chart;
  if (isLocalChart(reference)) return basename(reference);
  const named = repositoryChart({ ...release, chart: reference }, spec);
  return reference.startsWith('oci://') || named?.repository.oci ? basename(reference) : reference;
}
