import type { Chart } from '../../chart/types.ts';
import { annotations } from '../../manifest/annotations.ts';
import { itemsOf } from '../../manifest/items.ts';
import { parseManifest } from '../../manifest/parse.ts';
import { splitDocuments } from '../../manifest/split.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { hookProblems } from '../../plan/hook-mistakes.ts';
import { keyLine } from '../../plan/key-line.ts';
import { type OrderProblem, orderProblem } from '../../plan/problems.ts';

/** Mistakes in the annotations of hooks, those of events that nobody knows too, which no plan ever sees. */
export const mistakesInHooks = (chart: Chart, files: ReadonlyMap<string, string>): readonly OrderProblem[] =>
  [...files].flatMap(([path, text]) =>
    text.includes(annotations.hook)
      ? splitDocuments(text).flatMap((document) => problemsOf(chart, path, document))
      : [],
  );

function problemsOf(chart: Chart, path: string, document: string): readonly OrderProblem[] {
  const { object } = parseManifest(document, path);
  const isHook =
    (object.metadata.annotations as Readonly<Record<string, unknown>> | undefined)?.[annotations.hook] !== undefined;
  return isHook ? hookProblems(chart, object, path) : itemProblems(chart, path, object);
}

/** Hooks inside a List, which Helm applies as resources. */
function itemProblems(chart: Chart, path: string, list: KubernetesObject): readonly OrderProblem[] {
  const key = annotations.hook;
  const { kind, metadata } = list;
  return itemsOf(list)
    .filter((item) => item !== list && item.metadata.annotations?.[key] !== undefined)
    .map((item) =>
      orderProblem(
        { code: 'order-in-list', list: `${kind}/${metadata.name}`, item: `${item.kind}/${item.metadata.name}`, key },
        { file: path, line: keyLine(chart, path, key, { kind, name: metadata.name }) },
      ),
    );
}
