import { chartAnnotationLine } from '../../chart/file-text.ts';
import { placedCharts } from '../../chart/paths.ts';
import type { Chart } from '../../chart/types.ts';
import { annotations } from '../../manifest/annotations.ts';
import { parseManifest } from '../../manifest/parse.ts';
import type { Classified, KubernetesObject } from '../../manifest/types.ts';
import { inputSpellings } from '../../plan/declarations.ts';
import { keyLine } from '../../plan/key-line.ts';
import { type OrderProblem, orderProblem } from '../../plan/problems.ts';

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
export const hookModeProblems = (root: Chart): readonly OrderProblem[] =>
  placedCharts(root).flatMap(({ chart, path }) => {
    const key = annotations.runHooksInParallel;
    const value = chart.metadata.annotations?.[key];
    if (value === undefined || ['false', 'otherChartsOnly', 'true'].includes(value)) return [];
    const place = { file: `${path}/Chart.yaml`, line: chartAnnotationLine(chart, key) };
    return [orderProblem({ code: 'hook-mode-unknown', key, value }, place)];
  });

/** Keys of an order that do nothing, because they are on a hook. */
export const ignoredOrderKeys = (chart: Chart, { hooks }: Classified): readonly OrderProblem[] =>
  hooks.flatMap(({ manifest, path }) => {
    const { object } = parseManifest(manifest, path);
    const ignored = Object.keys(annotationsOf(object)).filter((key) => orderKeys.includes(key));
    const {
      kind,
      metadata: { name },
    } = object;
    return ignored.map((key) =>
      orderProblem(
        { code: 'hook-key-ignored', resource: `${kind}/${name}`, key, instead: annotations.hookWeight },
        { file: path, line: keyLine(chart, path, key, { kind, name }) },
      ),
    );
  });

const annotationsOf = ({ metadata }: KubernetesObject): Readonly<Record<string, unknown>> => metadata.annotations ?? {};
