import { parseReadinessRules, type ReadinessRule } from '../../cluster/readiness-rules.ts';
import { annotations } from '../../manifest/annotations.ts';
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
    return rule === undefined ? undefined : JSON.stringify(withValue(rule.path, wantedValue(rule)));
  } catch {
    return undefined;
  }
}

const hasController = ({ apiVersion }: KubernetesObject): boolean =>
  ['apps/v1', 'batch/v1', 'v1', 'policy/v1'].includes(apiVersion);

type Path = ReadinessRule['path'];

/** A value for which the comparison holds. */
function wantedValue({ operator, value }: Pick<ReadinessRule, 'operator' | 'value'>): unknown {
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

/** The smallest JSON in which the path leads to the value. */
function withValue([step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  const inner = withValue(rest, value);
  switch (step.kind) {
    case 'key':
      return { [step.key]: inner };
    case 'all':
      return [inner];
    case 'index':
      return Array.from({ length: Math.max(1, step.index + 1) }, () => inner);
    case 'filter':
      return [{ ...(inner as object), ...(withValue(step.path, wantedValue(step)) as object) }];
    default:
      return step satisfies never;
  }
}
