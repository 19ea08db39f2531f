import { type NameListMistake, readNameList } from '../manifest/name-list.ts';

/** What `helm.sh/depends-on/subcharts` of a Chart.yaml says (docs/ordering.md, 2). */
export interface SubchartEdges {
  /** What the chart's own resources wait for. */
  readonly own: readonly string[];
  /** What subcharts wait for, by their names or aliases. */
  readonly bySubchart: ReadonlyMap<string, readonly string[]>;
  readonly mistakes: readonly EdgeMistake[];
}

/** A list that cannot be read, and the subchart that it is of. */
export interface EdgeMistake {
  readonly subchart?: string | undefined;
  readonly mistake: NameListMistake;
}

/** The chart itself among the keys of the map. */
export const ownKey = '.';

const nothing: SubchartEdges = { own: [], bySubchart: new Map(), mistakes: [] };

/** Either a list, of what the chart's own resources wait for, or a map as JSON text: `{"bar": ["nginx"], ".": ["bar"]}`. */
export function readSubchartEdges(value: string | undefined): SubchartEdges {
  if (value === undefined) return nothing;
  const members = value.trimStart().startsWith('{') ? membersOf(value) : undefined;
  if (members === undefined) {
    const { names, mistake } = readNameList(value);
    return { ...nothing, own: names, mistakes: mistake === undefined ? [] : [{ mistake }] };
  }
  const lists = Object.entries(members).map(([name, list]) => ({ name, ...readNameList(list) }));
  return {
    own: lists.find(({ name }) => name === ownKey)?.names ?? [],
    bySubchart: new Map(
      lists.filter(({ name, names }) => name !== ownKey && names.length > 0).map(({ name, names }) => [name, names]),
    ),
    mistakes: lists.flatMap(({ name, mistake }) => (mistake === undefined ? [] : [{ subchart: name, mistake }])),
  };
}

/** The members of a JSON object in a text; undefined where the text is no JSON. */
export function membersOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    // A text that begins with a brace and is JSON is an object.
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    // No JSON: the list's reader says what is wrong with it.
    return undefined;
  }
}
