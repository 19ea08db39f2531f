import { fileText } from '../chart/file-text.ts';
import { annotations } from '../manifest/annotations.ts';
import { parseReadinessRules } from '../manifest/readiness-rules.ts';
import type { KubernetesObject, Manifest } from '../manifest/types.ts';
import { messageOf } from '../support/errors.ts';
import { isInteger } from '../support/text.ts';
import type { ChartTree } from './chart-tree.ts';
import { type Declaration, inputSpellings, isGrouped, readWeight } from './declarations.ts';
import { keyLineIn } from './key-line.ts';
import { resourceName } from './names.ts';
import type { OrderMistake } from './problems.ts';

/** Declarations that docs/ordering.md, 2, refuses: two groups, a weight beside a group, a weight or a readiness that cannot be read. */
export function mistakesOf(manifest: Manifest, declared: Declaration, tree: ChartTree): readonly OrderMistake[] {
  const problem = (message: string, key: string, value = ''): OrderMistake => ({
    file: manifest.source,
    line: lineOf(manifest, key, value, tree),
    resource: resourceName(manifest),
    message: `${resourceName(manifest)} ${message}`,
  });
  const { groups, weight, malformed = [] } = declared;
  const problems = [annotations.readinessSuccess, annotations.readinessFailure].flatMap((key): OrderMistake[] => {
    const mistake = readinessMistake(manifest, key);
    return mistake === undefined ? [] : [problem(`has a wrong ${key}: ${mistake}`, key)];
  });
  const written = (key: string): string => asWritten(manifest, key, tree);
  for (const { key, mistake } of malformed) problems.push(problem(`has a wrong ${written(key)}: ${mistake}`, key));
  for (const { name, key } of orderedItems(manifest.object))
    problems.push(
      problem(
        `holds ${name} with ${written(key)}, which is ignored inside a List; move it to a document of its own`,
        key,
      ),
    );
  if (groups.length > 1) {
    const names = groups.map((name) => `"${name}"`).join(' and ');
    const key =
      annotations.resourceGroup in (manifest.object.metadata.annotations ?? {})
        ? annotations.resourceGroup
        : annotations.layer;
    problems.push(problem(`is in the groups ${names}; a resource can have only one group or layer`, key));
  }
  if (weight === undefined) return problems;
  if (readWeight(weight) === undefined)
    problems.push(
      problem(
        `has the weight ${JSON.stringify(weight)}; ${annotations.weight} takes a whole number such as "-5"${isTooLarge(weight) ? ', but not one this large' : ''}`,
        annotations.weight,
        weight,
      ),
    );
  if (isGrouped(declared))
    problems.push(
      problem(
        `has both a weight and a group or layer; remove ${annotations.weight} or the others`,
        annotations.weight,
        weight,
      ),
    );
  return problems;
}

/** Items of a List, and of Lists in it, that declare an order: a List is applied as one. */
function orderedItems({
  items,
}: Partial<KubernetesObject>): readonly { readonly name: string; readonly key: string }[] {
  if (!Array.isArray(items)) return [];
  return (items as readonly (Partial<KubernetesObject> | null)[]).flatMap((item) => {
    const key = orderKeys.find((one) => item?.metadata?.annotations?.[one] !== undefined);
    const inside = item === null ? [] : orderedItems(item);
    return key === undefined ? inside : [{ name: `${item?.kind}/${item?.metadata?.name}`, key }, ...inside];
  });
}

const orderKeys = [
  annotations.resourceGroup,
  annotations.dependsOnResourceGroups,
  annotations.layer,
  annotations.dependsOnLayer,
  annotations.dependsOnChart,
  annotations.weight,
].flatMap(inputSpellings);

/** A number, but not one that is exact. */
const isTooLarge = (weight: string): boolean => isInteger(weight.trim());

/** What makes a readiness annotation one that cannot be read, or that never comes true. */
function readinessMistake(manifest: Manifest, key: string): string | undefined {
  const given: Readonly<Record<string, unknown>> = manifest.object.metadata.annotations ?? {};
  if (given[key] === undefined) return undefined;
  try {
    const isNever = parseReadinessRules(given[key]).length === 0 && key === annotations.readinessSuccess;
    return isNever ? 'without a success condition it never becomes ready' : undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** The key as the template has it: what is sent has legal ones in place of some. */
export function asWritten({ source }: Manifest, key: string, tree: ChartTree): string {
  const text = templateText(source, tree) ?? '';
  return text.includes(key) ? key : (inputSpellings(key).find((spelling) => text.includes(spelling)) ?? key);
}

const templateText = (source: string, tree: ChartTree): string | undefined =>
  fileText(tree.source, source.slice(tree.path.length + 1));

/** The template's line, where the annotation stands in it as it is rendered. */
export function lineOf({ source, object }: Manifest, key: string, value: string, tree: ChartTree): number | undefined {
  return keyLineIn(templateText(source, tree), key, { kind: object.kind, name: object.metadata.name }, value);
}
