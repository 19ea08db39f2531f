import { chartAnnotationLine } from '../chart/file-text.ts';
import { chartNamesOf, placedCharts } from '../chart/paths.ts';
import type { Chart } from '../chart/types.ts';
import { annotations, legalKeys } from '../manifest/annotations.ts';
import { parseManifest } from '../manifest/parse.ts';
import type { Classified, KubernetesObject } from '../manifest/types.ts';
import type { OrderFact } from '../problem/order-fact.ts';
import { isNear } from '../support/near.ts';
import { keyLine } from './key-line.ts';
import { type OrderProblem, orderProblem } from './problems.ts';

const chartKeys: readonly string[] = [
  annotations.dependsOnSubcharts,
  annotations.runHooksInParallel,
  annotations.needs,
];
/** The spellings that charts have come first: they are the ones that are proposed. */
const resourceKeys: readonly string[] = [
  ...Object.keys(legalKeys),
  ...Object.values(annotations).filter((key) => key === annotations.needs || !chartKeys.includes(key)),
];
const knownKeys: ReadonlySet<string> = new Set([...chartKeys, ...resourceKeys]);

/** Keys of docs/ordering.md, 2, that are misspelt or in the wrong place: of resources, hooks and Chart.yaml. */
export const misspeltAnnotations = (chart: Chart, { manifests, hooks }: Classified): readonly OrderProblem[] => [
  ...placedCharts(chart).flatMap(inChartYaml),
  ...manifests.flatMap(({ object, source }) => onResource(chart, object, source)),
  ...hooks.flatMap(({ manifest, path }) =>
    mentionsUnknown(manifest) ? onResource(chart, parseManifest(manifest, path).object, path) : [],
  ),
];

/** Whether it is worth parsing. */
const mentionsUnknown = (text: string): boolean =>
  [...text.matchAll(/(?<![\w.-])[\w.-]*helm\.sh\/[\w./-]*/g)].some(([key]) => !knownKeys.has(key));

function onResource(chart: Chart, { kind, metadata }: KubernetesObject, source: string): readonly OrderProblem[] {
  const { name, annotations: given } = metadata;
  return keyMistakes(`${kind}/${name}`, given ?? {}, 'resources').map((mistake) =>
    orderProblem(mistake, { file: source, line: keyLine(chart, source, mistake.key, { kind, name }) }),
  );
}

const inChartYaml = ({ chart, path }: { readonly chart: Chart; readonly path: string }): readonly OrderProblem[] => {
  const given = chart.metadata.annotations ?? {};
  const mistakes = [
    ...keyMistakes('Chart.yaml', given, 'Chart.yaml'),
    ...(annotations.needs in given && chartNamesOf(`${path}/Chart.yaml`).length > 1 ? [needsOfSubchart] : []),
  ];
  return mistakes.map((mistake) =>
    orderProblem(mistake, { file: `${path}/Chart.yaml`, line: chartAnnotationLine(chart, mistake.key) }),
  );
};

type KeyMistake = Extract<OrderFact, { code: 'order-key-misplaced' | 'order-key-unknown' }>;

const needsOfSubchart: KeyMistake = {
  code: 'order-key-misplaced',
  holder: 'Chart.yaml',
  key: annotations.needs,
  instead: annotations.needs,
  belongsTo: 'root Chart.yaml',
};

const keyMistakes = (holder: string, given: object, place: 'resources' | 'Chart.yaml'): readonly KeyMistake[] =>
  Object.keys(given).flatMap((key): readonly KeyMistake[] => {
    const isChart = place === 'Chart.yaml';
    const [own, other] = isChart ? [chartKeys, resourceKeys] : [resourceKeys, chartKeys];
    if (other.includes(key) && !own.includes(key)) {
      const instead = isChart ? annotations.dependsOnSubcharts : legalOf(annotations.dependsOnChart);
      return [{ code: 'order-key-misplaced', holder, key, instead, belongsTo: isChart ? 'resources' : 'Chart.yaml' }];
    }
    const meant = meantBy(key, [...own, ...other]);
    if (meant === undefined) return [];
    const belongsTo = !isChart && chartKeys.includes(meant) ? 'Chart.yaml' : undefined;
    return [{ code: 'order-key-unknown', holder, key, meant, belongsTo }];
  });

/** The known key that an unknown one is nearly the same as; the first candidates are preferred. */
function meantBy(key: string, candidates: readonly string[]): string | undefined {
  const isCut = key.includes('/') && knownKeys.has(`helm.sh/${key}`);
  if (knownKeys.has(key) || !(isCut || key.includes('helm.sh/'))) return undefined;
  return isCut ? `helm.sh/${key}` : candidates.find((one) => isNear(one, key) || lettersOf(one) === lettersOf(key));
}

/** Without what is easily mistaken: separators, capitals, the plural. */
const lettersOf = (key: string): string =>
  key
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/s$/, '');

const legalOf = (key: string): string => Object.keys(legalKeys).find((one) => legalKeys[one] === key) ?? key;
