import { fileText } from '../../chart/file-text.ts';
import type { Chart } from '../../chart/types.ts';
import { annotations } from '../../manifest/annotations.ts';
import { parseManifest } from '../../manifest/parse.ts';
import type { Classified, KubernetesObject } from '../../manifest/types.ts';
import { inputSpellings } from '../../plan/declarations.ts';
import { keyLine } from '../../plan/key-line.ts';
import type { OrderMistake } from '../../plan/problems.ts';
import { annotationLine } from '../../plan/source-lines.ts';

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

/** Values of `helm.sh/run-hooks-in-parallel` that mean nothing; `path` is the chart's, as template paths have it. */
export function hookModeProblems(chart: Chart, path = chart.metadata.name): readonly OrderMistake[] {
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

/** Keys of an order that do nothing, because they are on a hook. */
export const idleKeys = (chart: Chart, { hooks }: Classified): readonly OrderMistake[] =>
  hooks.flatMap(({ manifest, path }) => {
    const { object } = parseManifest(manifest, path);
    const ignored = Object.keys(annotationsOf(object)).filter((key) => orderKeys.includes(key));
    const resource = `${object.kind}/${object.metadata.name}`;
    return ignored.map(
      (key): OrderMistake => ({
        file: path,
        line: keyLine(chart, path, key, { kind: object.kind, name: object.metadata.name }),
        resource,
        message: `${resource} is a hook, so ${key} is ignored; hooks are ordered by ${annotations.hookWeight}`,
      }),
    );
  });

const annotationsOf = ({ metadata }: KubernetesObject): Readonly<Record<string, unknown>> => metadata.annotations ?? {};
