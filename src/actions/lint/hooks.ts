import type { Chart } from '../../chart/types.ts';
import { annotations } from '../../manifest/annotations.ts';
import { hookMistakes } from '../../manifest/hook-mistakes.ts';
import { itemsOf } from '../../manifest/items.ts';
import { parseManifest } from '../../manifest/parse.ts';
import { splitDocuments } from '../../manifest/split.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { keyLine } from '../../plan/key-line.ts';
import type { OrderMistake } from '../../plan/problems.ts';

/** Mistakes in the annotations of hooks, those of events that nobody knows too, which no plan ever sees. */
export const hookProblems = (chart: Chart, files: ReadonlyMap<string, string>): readonly OrderMistake[] =>
  [...files].flatMap(([path, text]) =>
    text.includes(annotations.hook)
      ? splitDocuments(text).flatMap((document) => problemsOf(chart, path, document))
      : [],
  );

function problemsOf(chart: Chart, path: string, document: string): readonly OrderMistake[] {
  const { object } = parseManifest(document, path);
  const given: Readonly<Record<string, unknown>> = object.metadata.annotations ?? {};
  if (given[annotations.hook] === undefined) return itemProblems(chart, path, object);
  const resource = `${object.kind}/${object.metadata.name}`;
  return hookMistakes(given).map(({ key, message }) => ({
    file: path,
    line: keyLine(chart, path, key, { kind: object.kind, name: object.metadata.name }),
    resource,
    message: `${resource}: ${message}`,
  }));
}

/** Hooks inside a List, which Helm applies as resources. */
function itemProblems(chart: Chart, path: string, list: KubernetesObject): readonly OrderMistake[] {
  const items = itemsOf(list).filter(
    (item) => item !== list && item.metadata.annotations?.[annotations.hook] !== undefined,
  );
  const resource = `${list.kind}/${list.metadata.name}`;
  return items.map(({ kind, metadata: { name } }) => ({
    file: path,
    line: keyLine(chart, path, annotations.hook, { kind: list.kind, name: list.metadata.name }),
    resource,
    message: `${resource} holds ${kind}/${name} with ${annotations.hook}, which is ignored inside a List; move it to a document of its own`,
  }));
}
