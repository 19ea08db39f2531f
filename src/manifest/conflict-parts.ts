import { isObject } from '../support/json.ts';
import type { PathPart } from './field-differences.ts';
import { fitsItem, type RuleStep, readPath, stepsPast } from './field-rules.ts';

/**
 * A field that the API server names, `.spec.containers[name="web"].image`, as steps into an object that has it. Keys with
 * dots are not told apart from paths there: the object's own keys tell.
 */
export function conflictParts(field: string, object: unknown): readonly PathPart[] {
  return partsAlong(readPath(field) ?? [], object);
}

function partsAlong(path: readonly RuleStep[], value: unknown): readonly PathPart[] {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  if (step.kind === 'item') return itemAlong(step, rest, value);
  const keys = isObject(value) ? Object.keys(value) : [];
  const found = keys.flatMap((key) => stepsPast(key, path).map((further) => ({ key, further })));
  const [longest] = found.sort((a, b) => a.further.length - b.further.length);
  if (longest === undefined) return [step.text, ...partsAlong(rest, undefined)];
  return [longest.key, ...partsAlong(longest.further, isObject(value) ? value[longest.key] : undefined)];
}

function itemAlong(
  step: Extract<RuleStep, { kind: 'item' }>,
  rest: readonly RuleStep[],
  value: unknown,
): readonly PathPart[] {
  const label =
    step.index ??
    Object.entries(step.fields)
      .map(([key, text]) => `${key}=${text}`)
      .join(',');
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const item = items.find((one, index) => fitsItem({ label: String(index), item: one }, step));
  return [{ label, item: item ?? step.fields }, ...partsAlong(rest, item)];
}
