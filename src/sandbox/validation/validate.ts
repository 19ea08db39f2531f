import type { Kind } from '../kinds/kind.ts';
import type { Resource } from '../resource.ts';
import type { FieldProblem } from '../status.ts';
import { customProblems } from './custom.ts';
import { changeRules } from './immutable.ts';
import { kindRules } from './kinds.ts';
import { metadataProblems } from './metadata.ts';

/** What is wrong with a new object; [] when nothing is. */
export const validateNew = (kind: Kind, object: Resource): FieldProblem[] => [
  ...metadataProblems(kind, object),
  ...objectProblems(kind, object),
];

/** What is wrong with a change, in the new object itself or in what it changes. */
export function validateChange(kind: Kind, before: Resource, after: Resource): FieldProblem[] {
  const changed = kind.custom === undefined ? (changeRules[`${kind.group}/${kind.kind}`]?.(before, after) ?? []) : [];
  if (before.metadata.deletionTimestamp !== undefined) return changed;
  return [...metadataProblems(kind, after), ...changed, ...objectProblems(kind, after)];
}

const objectProblems = (kind: Kind, object: Resource): FieldProblem[] =>
  kind.custom === undefined
    ? (kindRules[`${kind.group}/${kind.kind}`]?.(object) ?? [])
    : customProblems(kind.custom, object);
