import { fileText } from '../../chart/file-text.ts';
import type { Chart } from '../../chart/types.ts';
import { annotations, legalKeys } from '../../manifest/annotations.ts';
import { parseManifest } from '../../manifest/parse.ts';
import type { Classified, KubernetesObject } from '../../manifest/types.ts';
import { chartNamesOf } from '../../plan/chart-path.ts';
import { inputSpellings } from '../../plan/declarations.ts';
import type { Problem } from '../../plan/problems.ts';
import { annotationLine, type Declared, resourceLine } from '../../plan/source-lines.ts';
import { isNear } from '../../support/near.ts';

const { readinessSuccess, readinessFailure } = annotations;

/** The keys that say something of an order, in every spelling. */
const orderKeys: readonly string[] = [
  annotations.resourceGroup,
  annotations.dependsOnResourceGroups,
  annotations.layer,
  annotations.dependsOnLayer,
  annotations.dependsOnChart,
  annotations.weight,
  readinessSuccess,
  readinessFailure,
].flatMap(inputSpellings);

const knownKeys: ReadonlySet<string> = new Set([...Object.values(annotations), ...Object.keys(legalKeys)]);

/** Values of `helm.sh/run-hooks-in-parallel` that mean nothing; `path` is the chart's, as template paths have it. */
export function hookModeProblems(chart: Chart, path = chart.metadata.name): readonly Problem[] {
  const key = annotations.runHooksInParallel;
  const value = chart.metadata.annotations?.[key];
  const isKnown = value === undefined || ['false', 'otherChartsOnly', 'true'].includes(value);
  const line = isKnown ? undefined : annotationLine(fileText(chart, 'Chart.yaml') ?? '', key);
  const message = `${key} must be false, otherChartsOnly or true, not ${JSON.stringify(value)}`;
  return [
    ...(isKnown ? [] : [{ file: `${path}/Chart.yaml`, line, message }]),
    ...chart.dependencies.flatMap((child) => hookModeProblems(child, `${path}/charts/${child.metadata.name}`)),
  ];
}

/** Keys that do nothing: those of an order on a hook, and those that are nearly one of ours. */
export const idleKeys = (chart: Chart, { manifests, hooks }: Classified): readonly Problem[] => [
  ...manifests.flatMap(({ object, source }) => misspelled(chart, object, source)),
  ...hooks.flatMap(({ manifest, path }) => {
    const { object } = parseManifest(manifest, path);
    const ignored = Object.keys(annotationsOf(object)).filter((key) => orderKeys.includes(key));
    const resource = `${object.kind}/${object.metadata.name}`;
    return ignored.map(
      (key): Problem => ({
        file: path,
        line: keyLine(chart, path, key, { kind: object.kind, name: object.metadata.name }),
        resource,
        message: `${resource} is a hook, so ${key} is ignored; hooks are ordered by ${annotations.hookWeight}`,
      }),
    );
  }),
];

function misspelled(chart: Chart, object: KubernetesObject, source: string): readonly Problem[] {
  const resource = `${object.kind}/${object.metadata.name}`;
  return Object.keys(annotationsOf(object)).flatMap((key): readonly Problem[] => {
    const meant =
      knownKeys.has(key) || !key.includes('helm.sh/') ? undefined : orderKeys.find((one) => isNear(one, key));
    if (meant === undefined) return [];
    const message = `${resource} has the annotation ${key}, which is unknown; did you mean ${meant}?`;
    return [
      {
        file: source,
        line: keyLine(chart, source, key, { kind: object.kind, name: object.metadata.name }),
        resource,
        message,
      },
    ];
  });
}

const annotationsOf = ({ metadata }: KubernetesObject): Readonly<Record<string, unknown>> => metadata.annotations ?? {};

/** The line of a template on which a resource has a key, in any of its spellings; `source` has the charts before it. */
export function keyLine(chart: Chart, source: string, key: string, of?: Declared): number | undefined {
  const text = templateText(chart, source);
  if (text === undefined) return undefined;
  return inputSpellings(key)
    .map((spelling) => annotationLine(text, spelling, '', of))
    .find((line) => line !== undefined);
}

/** The line of a template on which a resource begins. */
export function declarationLine(chart: Chart, source: string, of: Declared): number | undefined {
  const text = templateText(chart, source);
  return text === undefined ? undefined : resourceLine(text, of);
}

function templateText(chart: Chart, source: string): string | undefined {
  const [first, ...names] = chartNamesOf(source);
  let owner: Chart | undefined = chart;
  for (const name of names) owner = owner?.dependencies.find(({ metadata }) => metadata.name === name);
  return fileText(owner, source.slice([first, ...names].join('/charts/').length + 1));
}
