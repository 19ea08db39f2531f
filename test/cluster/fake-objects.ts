import type { KubernetesObject } from '../../src/manifest/types.ts';

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON merge patch (RFC 7386). */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isTree(patch)) return structuredClone(patch);
  const merged: Tree = isTree(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else if (value !== undefined) merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

/** `target` without the leaves that `before` has and `now` has not: what server-side apply does with fields given up. */
export function withoutLeaves(target: unknown, before: unknown, now: unknown): unknown {
  if (!isTree(target) || !isTree(before)) return target;
  const kept: Tree = {};
  for (const [key, value] of Object.entries(target)) {
    const isGivenUp = key in before && !(isTree(now) && key in now);
    if (!isGivenUp) kept[key] = withoutLeaves(value, before[key], isTree(now) ? now[key] : undefined);
    else if (isTree(value) && isTree(before[key])) {
      const rest = withoutLeaves(value, before[key], {}) as Tree;
      if (Object.keys(rest).length > 0) kept[key] = rest;
    }
  }
  return kept;
}

/** The part of RFC 6902 that tests use: add, replace, remove. */
export function applyJsonPatch(target: KubernetesObject, patch: unknown): unknown {
  const changed = structuredClone(target) as Tree;
  for (const step of patch as { op: string; path: string; value?: unknown }[]) {
    const keys = step.path
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop() ?? '';
    let parent: Tree = changed;
    for (const key of keys) parent = parent[key] as Tree;
    if (Array.isArray(parent)) {
      const index = last === '-' ? parent.length : Number(last);
      parent.splice(index, step.op === 'add' ? 0 : 1, ...(step.op === 'remove' ? [] : [step.value]));
    } else if (step.op === 'remove') delete parent[last];
    else parent[last] = step.value;
  }
  return changed;
}

/** Whether `whole` has everything that `part` has, with the same values. */
export function contains(whole: unknown, part: unknown): boolean {
  if (isTree(part)) {
    return (
      isTree(whole) && Object.entries(part).every(([key, value]) => value === undefined || contains(whole[key], value))
    );
  }
  if (Array.isArray(part)) {
    return (
      Array.isArray(whole) && whole.length === part.length && part.every((item, index) => contains(whole[index], item))
    );
  }
  return Object.is(whole, part);
}

/** Label selectors: `a=b`, `a==b`, `a!=b`, `a`, `!a`, `a in (b,c)`, `a notin (b,c)`. */
export function matchesLabels(object: KubernetesObject, selector: string | undefined): boolean {
  const labels = object.metadata.labels ?? {};
  return requirements(selector).every((requirement) => {
    const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(requirement);
    if (set !== null) {
      const [, key = '', operator, list = ''] = set;
      const isIn = list.split(',').some((item) => item.trim() === labels[key]);
      return operator === 'in' ? isIn : !isIn;
    }
    const pair = /^([^!=]+)(!=|==?)(.*)$/.exec(requirement);
    if (pair === null) return requirement.startsWith('!') ? !(requirement.slice(1) in labels) : requirement in labels;
    const [, key = '', operator, value = ''] = pair;
    return operator === '!=' ? labels[key.trim()] !== value.trim() : labels[key.trim()] === value.trim();
  });
}

/** Field selectors on plain paths: `metadata.name=x,status.phase!=Running`. */
export function matchesFields(object: KubernetesObject, selector: string | undefined): boolean {
  return requirements(selector).every((requirement) => {
    const [, path = '', operator, value = ''] = /^([^!=]+)(!=|==?)(.*)$/.exec(requirement) ?? [];
    let found: unknown = object;
    for (const key of path.split('.')) found = isTree(found) ? found[key] : undefined;
    return ((typeof found === 'string' ? found : '') === value) === (operator !== '!=');
  });
}

const requirements = (selector: string | undefined): string[] =>
  (selector ?? '')
    .split(/,(?![^(]*\))/)
    .map((requirement) => requirement.trim())
    .filter((requirement) => requirement !== '');
