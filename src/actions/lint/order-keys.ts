import { chartAnnotationLine } from '../../chart/file-text.ts';
import { placedCharts } from '../../chart/paths.ts';
import type { Chart } from '../../chart/types.ts';
import { annotations } from '../../manifest/annotations.ts';
import { parseManifest } from '../../manifest/parse.ts';
import type { Classified, KubernetesObject } from '../../manifest/types.ts';
import { inputSpellings } from '../../plan/declarations.ts';
import { keyLine } from '../../plan/key-line.ts';
import type { OrderMistake } from '../../plan/problems.ts';

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

/** Values of `helm.sh/run-hooks-in-parallel` that mean nothing. */
export const hookModeProblems = (root: Chart): readonly OrderMistake[] =>
  placedCharts(root).flatMap(({ chart, path }) => {
    const key = annotations.runHooksInParallel;
    const value = chart.metadata.annotations?.[key];
    if (value === undefined || ['false', 'otherChartsOnly', 'true'].includes(value)) return [];
    const message = `${key} must be false, otherChartsOnly or true, not ${JSON.stringify(value)}`;
    return [{ file: `${path}/Chart.yaml`, line: chartAnnotationLine(chart, key), message }];
  });

/** Keys of an order that do nothing, because they are on a hook. */
export const ignoredOrderKeys = (chart: Chart, { hooks }: Classified): readonly OrderMistake[] =>
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
