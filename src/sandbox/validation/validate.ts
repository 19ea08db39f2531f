import type { Kind } from '../kinds/kind.ts';
import type { Resource } from '../resource.ts';
import type { FieldProblem } from '../status.ts';
import { customProblems } from './custom.ts';
import { changeRules } from './immutable.ts';
import { metadataProblems } from './metadata.ts';
import { internalPaths } from './structs/definition.ts';
import { structProblems } from './walk.ts';

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

function objectProblems(kind: Kind, object: Resource): FieldProblem[] {
  if (kind.custom !== undefined) return customProblems(kind.custom, object);
  const problems = structProblems(kind.type(), object);
  return kind.kind === 'CustomResourceDefinition' ? internalPaths(object, problems) : problems;
}
