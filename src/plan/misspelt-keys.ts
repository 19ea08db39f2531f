import { chartAnnotationLine } from '../chart/file-text.ts';
import { placedCharts } from '../chart/paths.ts';
import type { Chart } from '../chart/types.ts';
import { annotations, legalKeys } from '../manifest/annotations.ts';
import { parseManifest } from '../manifest/parse.ts';
import type { Classified, KubernetesObject } from '../manifest/types.ts';
import { isNear } from '../support/near.ts';
import { keyLine } from './key-line.ts';
import type { OrderMistake } from './problems.ts';

const chartKeys: readonly string[] = [annotations.dependsOnSubcharts, annotations.runHooksInParallel];
/** The spellings that charts have come first: they are the ones that are proposed. */
const resourceKeys: readonly string[] = [
  ...Object.keys(legalKeys),
  ...Object.values(annotations).filter((key) => !chartKeys.includes(key)),
];
const knownKeys: ReadonlySet<string> = new Set([...chartKeys, ...resourceKeys]);

/** Keys of docs/ordering.md, 2, that are misspelt or in the wrong place: of resources, hooks and Chart.yaml. */
export const misspeltAnnotations = (chart: Chart, { manifests, hooks }: Classified): readonly OrderMistake[] => [
  ...placedCharts(chart).flatMap(inChartYaml),
  ...manifests.flatMap(({ object, source }) => onResource(chart, object, source)),
  ...hooks.flatMap(({ manifest, path }) =>
    mentionsUnknown(manifest) ? onResource(chart, parseManifest(manifest, path).object, path) : [],
  ),
];

/** Whether it is worth parsing. */
const mentionsUnknown = (text: string): boolean =>
  [...text.matchAll(/(?<![\w.-])[\w.-]*helm\.sh\/[\w./-]*/g)].some(([key]) => !knownKeys.has(key));

function onResource(chart: Chart, { kind, metadata }: KubernetesObject, source: string): readonly OrderMistake[] {
  const resource = `${kind}/${metadata.name}`;
  return Object.keys(metadata.annotations ?? {}).flatMap((key): readonly OrderMistake[] => {
    const mistake = chartKeys.includes(key)
      ? `only has a meaning in Chart.yaml; a resource waits for a subchart with ${legalOf(annotations.dependsOnChart)}`
      : unknownKey(key, [...resourceKeys, ...chartKeys], ' in Chart.yaml');
    if (mistake === undefined) return [];
    const line = keyLine(chart, source, key, { kind, name: metadata.name });
    return [{ file: source, line, resource, message: `${resource} has the annotation ${key}, which ${mistake}` }];
  });
}

function inChartYaml({ chart, path }: { readonly chart: Chart; readonly path: string }): readonly OrderMistake[] {
  return Object.keys(chart.metadata.annotations ?? {}).flatMap((key): readonly OrderMistake[] => {
    const isOfResources = knownKeys.has(key) && !chartKeys.includes(key);
    const mistake = isOfResources
      ? `only has a meaning on resources; the order of subcharts is declared with ${annotations.dependsOnSubcharts}`
      : unknownKey(key, [...chartKeys, ...resourceKeys]);
    if (mistake === undefined) return [];
    const message = `Chart.yaml has the annotation ${key}, which ${mistake}`;
    return [{ file: `${path}/Chart.yaml`, line: chartAnnotationLine(chart, key), message }];
  });
}

/** The first candidates are preferred; `elsewhere` says where a key of charts belongs. */
function unknownKey(key: string, candidates: readonly string[], elsewhere = ''): string | undefined {
  const isCut = key.includes('/') && knownKeys.has(`helm.sh/${key}`);
  if (knownKeys.has(key) || !(isCut || key.includes('helm.sh/'))) return undefined;
  const meant = isCut
    ? `helm.sh/${key}`
    : candidates.find((one) => isNear(one, key) || lettersOf(one) === lettersOf(key));
  return meant && `is unknown; did you mean ${meant}${chartKeys.includes(meant) ? elsewhere : ''}?`;
}

/** Without what is easily mistaken: separators, capitals, the plural. */
const lettersOf = (key: string): string =>
  key
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/s$/, '');

const legalOf = (key: string): string => Object.keys(legalKeys).find((one) => legalKeys[one] === key) ?? key;
