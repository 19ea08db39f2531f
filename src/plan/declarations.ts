import { annotations, legalKeys } from '../manifest/annotations.ts';
import { type NameListMistake, readNameList } from '../manifest/name-list.ts';
import type { Manifest } from '../manifest/types.ts';
import { isInteger } from '../support/text.ts';

/** What a resource declares about its order; names are of its own chart. */
export interface Declaration {
  /** One name is right; several are a mistake. */
  readonly groups: readonly string[];
  readonly afterGroups: readonly string[];
  readonly afterCharts: readonly string[];
  /** What is to be there outside of the release. */
  readonly needs?: readonly string[] | undefined;
  /** The text of `helm.sh/weight`; undefined without one. */
  readonly weight?: string | undefined;
  /** Keys whose value is not a list of names. */
  readonly malformed?: readonly Malformed[] | undefined;
}

export interface Malformed {
  readonly key: string;
  readonly mistake: NameListMistake;
}

/** A key and the other spellings of it that count. */
export const inputSpellings = (key: string): readonly string[] => [
  key,
  ...Object.entries(legalKeys).flatMap(([input, legal]) => (legal === key ? [input] : [])),
];

const groupKeys = [annotations.resourceGroup, annotations.layer];
const afterGroupKeys = [annotations.dependsOnResourceGroups, annotations.dependsOnLayer].flatMap(inputSpellings);
const afterChartKeys = inputSpellings(annotations.dependsOnChart);

const nothing: Declaration = { groups: [], afterGroups: [], afterCharts: [] };

/** What a resource declares (docs/ordering.md, 2): both spellings of the keys count, and every form of a list. */
export function declarationOf({ object }: Manifest): Declaration {
  const given: Readonly<Record<string, unknown>> | null | undefined = object.metadata.annotations;
  if (given === undefined || given === null) return nothing;
  const weight = given[annotations.weight];
  const malformed: Malformed[] = [];
  const declared = {
    groups: namesAt(groupKeys, given, malformed),
    afterGroups: namesAt(afterGroupKeys, given, malformed),
    afterCharts: namesAt(afterChartKeys, given, malformed),
    ...(annotations.needs in given && { needs: namesAt([annotations.needs], given, malformed) }),
    ...(malformed.length > 0 && { malformed }),
  };
  return weight === undefined || weight === null || weight === '' ? declared : { ...declared, weight: String(weight) };
}

function namesAt(
  keys: readonly string[],
  given: Readonly<Record<string, unknown>>,
  malformed: Malformed[],
): readonly string[] {
  const found = keys.flatMap((key): readonly string[] => {
    const { names, mistake } = readNameList(given[key]);
    if (mistake !== undefined) malformed.push({ key, mistake });
    return names;
  });
  return found.length < 2 ? found : [...new Set(found)];
}

/** Whether it belongs to a group, or waits for something and so is one of its own. */
export const isGrouped = ({ groups, afterGroups, afterCharts }: Declaration): boolean =>
  groups.length + afterGroups.length + afterCharts.length > 0;

/** A whole number as `helm.sh/weight` gives it; undefined for anything else. */
export function readWeight(text: string): number | undefined {
  const weight = isInteger(text.trim()) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(weight) ? weight : undefined;
}
