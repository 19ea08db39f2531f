import { fileText } from '../chart/file-text.ts';
import { annotations } from '../manifest/annotations.ts';
import { parseReadinessRules } from '../manifest/readiness-rules.ts';
import type { KubernetesObject, Manifest } from '../manifest/types.ts';
import type { OrderFact } from '../problem/order-fact.ts';
import { Quote } from '../problem/quote.ts';
import { messageOf } from '../support/errors.ts';
import { isInteger } from '../support/text.ts';
import type { ChartTree } from './chart-tree.ts';
import { type Declaration, inputSpellings, isGrouped, readWeight } from './declarations.ts';
import { keyLineIn } from './key-line.ts';
import { resourceName } from './names.ts';
import { type OrderProblem, orderProblem } from './problems.ts';

/** Declarations that docs/ordering.md, 2, refuses: two groups, a weight beside a group, a weight or a readiness that cannot be read. */
export function mistakesOf(manifest: Manifest, declared: Declaration, tree: ChartTree): readonly OrderProblem[] {
  const resource = resourceName(manifest);
  const { groups, weight, malformed = [] } = declared;
  const at = (key: string, cause: OrderFact, value = ''): OrderProblem =>
    orderProblem(cause, { file: manifest.source, line: lineOf(manifest, key, value, tree) });
  const written = (key: string): string => asWritten(manifest, key, tree);
  const groupKey =
    annotations.resourceGroup in (manifest.object.metadata.annotations ?? {}) ? 'resourceGroup' : 'layer';
  return [
    ...[annotations.readinessSuccess, annotations.readinessFailure].flatMap((key) => {
      const cause = readinessMistake(manifest, key);
      return cause === undefined ? [] : [at(key, cause)];
    }),
    ...malformed.map(({ key, mistake }) =>
      at(key, { code: 'order-names-malformed', key: written(key), resource, mistake }),
    ),
    ...orderedItems(manifest.object).map(({ item, key }) =>
      at(key, { code: 'order-in-list', list: resource, item, key: written(key) }),
    ),
    ...(groups.length > 1 ? [at(annotations[groupKey], { code: 'order-group-twice', resource, groups })] : []),
    ...(weight === undefined || readWeight(weight) !== undefined
      ? []
      : [
          at(
            annotations.weight,
            // A whole number is refused only if it is not exact.
            { code: 'order-weight-invalid', resource, weight, isTooLarge: isInteger(weight.trim()) },
            weight,
          ),
        ]),
    ...(weight !== undefined && isGrouped(declared)
      ? [at(annotations.weight, { code: 'order-weight-in-group', resource }, weight)]
      : []),
  ];
}

/** Items of a List, and of Lists in it, that declare an order: a List is applied as one. */
function orderedItems({
  items,
}: Partial<KubernetesObject>): readonly { readonly item: string; readonly key: string }[] {
  if (!Array.isArray(items)) return [];
  return (items as readonly (Partial<KubernetesObject> | null)[]).flatMap((item) => {
    const key = orderKeys.find((one) => item?.metadata?.annotations?.[one] !== undefined);
    const inside = item === null ? [] : orderedItems(item);
    return key === undefined ? inside : [{ item: `${item?.kind}/${item?.metadata?.name}`, key }, ...inside];
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

/** A readiness annotation that cannot be read, or that never comes true. */
function readinessMistake(manifest: Manifest, key: string): OrderFact | undefined {
  const given: Readonly<Record<string, unknown>> = manifest.object.metadata.annotations ?? {};
  if (given[key] === undefined) return undefined;
  const mistake = { code: 'order-readiness-invalid', resource: resourceName(manifest), key } as const;
  try {
    const isNever = parseReadinessRules(given[key]).length === 0 && key === annotations.readinessSuccess;
    return isNever ? mistake : undefined;
  } catch (error) {
    return { ...mistake, words: new Quote(messageOf(error)) };
  }
}

/** The key as the template has it: what is sent has legal ones in place of some. */
export function asWritten({ source }: Manifest, key: string, tree: ChartTree): string {
  const text = templateText(source, tree) ?? '';
  return text.includes(key) ? key : (inputSpellings(key).find((spelling) => text.includes(spelling)) ?? key);
}

const templateText = (source: string, tree: ChartTree): string | undefined =>
  fileText(tree.source, source.slice(tree.path.length + 1));

/** The template's line, where the annotation is in it as it is rendered. */
export function lineOf({ source, object }: Manifest, key: string, value: string, tree: ChartTree): number | undefined {
  return keyLineIn(templateText(source, tree), key, { kind: object.kind, name: object.metadata.name }, value);
}
