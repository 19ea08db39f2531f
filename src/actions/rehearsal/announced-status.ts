import { type JsonPathNode, parseJsonPath } from '../../go/jsonpath/parser.ts';
import { GoInt } from '../../go/value.ts';
import { annotations } from '../../manifest/annotations.ts';
import { type Operator, parseReadinessRules } from '../../manifest/readiness-rules.ts';
import type { KubernetesObject } from '../../manifest/types.ts';

/**
 * A status that makes an object ready (or failed) by its own readiness annotations, as JSON; undefined for objects
 * without them, and for those whose status the sandbox works out itself.
 */
export function announcedStatus(object: KubernetesObject, fails: boolean): string | undefined {
  const key = fails ? annotations.readinessFailure : annotations.readinessSuccess;
  const text = object.metadata.annotations?.[key];
  const other = object.metadata.annotations?.[fails ? annotations.readinessSuccess : annotations.readinessFailure];
  if (text === undefined || other === undefined || hasController(object)) return undefined;
  try {
    const [rule] = parseReadinessRules(text);
    return rule === undefined
      ? undefined
      : JSON.stringify(withValue(parseJsonPath(rule.path).nodes, wantedValue(rule)));
  } catch {
    // A rule that cannot be read announces no status.
    return undefined;
  }
}

const hasController = ({ apiVersion }: KubernetesObject): boolean =>
  ['apps/v1', 'batch/v1', 'v1', 'policy/v1'].includes(apiVersion);

/** A value for which the comparison holds. */
function wantedValue({ operator, value }: { readonly operator: Operator; readonly value: unknown }): unknown {
  const number = Number(value);
  switch (operator) {
    case '==':
    case '<=':
    case '>=':
      return value;
    case '<':
      return number - 1;
    case '>':
      return number + 1;
    case '!=':
      return typeof value === 'number' ? value + 1 : `not ${String(value)}`;
    default:
      return operator satisfies never;
  }
}

/** The smallest JSON in which the path leads to the value. Throws for a path that leads nowhere in particular. */
function withValue([node, ...rest]: readonly JsonPathNode[], value: unknown): unknown {
  if (node === undefined) return value;
  switch (node.kind) {
    case 'list':
      return withValue([...node.nodes, ...rest], value);
    case 'field':
      return { [node.name]: withValue(rest, value) };
    case 'wildcard':
      return [withValue(rest, value)];
    case 'recursive':
      return withValue(rest, value);
    case 'slice':
      return Array.from({ length: Math.max(1, (node.start.value ?? 0) + 1) }, () => withValue(rest, value));
    case 'union':
      return withValue([...(node.lists[0]?.nodes ?? []), ...rest], value);
    case 'filter':
      return [{ ...(withValue(rest, value) as object), ...(itemThatPasses(node) as object) }];
    default:
      throw new Error(`${node.kind} is not a path`);
  }
}

/** What an element needs to pass a filter. */
function itemThatPasses({ left, operator, right }: Extract<JsonPathNode, { kind: 'filter' }>): unknown {
  const wanted = right === undefined ? true : wantedValue({ operator: operator as Operator, value: literalOf(right) });
  return withValue([left], wanted);
}

function literalOf({ nodes: [node] }: Extract<JsonPathNode, { kind: 'list' }>): unknown {
  if (node?.kind === 'text') return node.text;
  if (node?.kind !== 'literal') throw new Error('a filter must compare with a value');
  return node.value instanceof GoInt ? Number(node.value.value) : node.value;
}
