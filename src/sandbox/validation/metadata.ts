import { fateAnnotations, fates } from '../fates.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Resource } from '../resource.ts';
import { type FieldProblem, invalidValue, required, tooLong, unsupportedValue } from '../status.ts';
import {
  dns1123LabelProblem,
  dns1123SubdomainProblem,
  labelKeyProblem,
  labelValueProblem,
  pathSegmentProblem,
} from './names.ts';

const labelNamed = new Set(['Namespace', 'Service']);
const maxAnnotationBytes = 256 * 1024;

/** metav1.ObjectMeta's own rules: the name, label and annotation keys, finalizers, owners. */
export function metadataProblems(kind: Kind, object: Resource): FieldProblem[] {
  const { name, labels, annotations, ownerReferences } = object.metadata;
  const problems: FieldProblem[] = [];
  if (name === undefined || name === '') problems.push(required('metadata.name', 'name or generateName is required'));
  else {
    const problem = nameProblem(kind, name);
    if (problem !== undefined) problems.push(invalidValue('metadata.name', name, problem));
  }
  problems.push(...labelProblems(labels, 'metadata.labels'), ...annotationProblems(annotations));
  for (const [index, owner] of (ownerReferences ?? []).entries()) {
    for (const field of ['apiVersion', 'kind', 'name', 'uid'] as const) {
      if ((owner[field] ?? '') === '') {
        problems.push(invalidValue(`metadata.ownerReferences[${index}].${field}`, '', `${field} must not be empty`));
      }
    }
  }
  return problems;
}

function nameProblem(kind: Kind, name: string): string | undefined {
  if (kind.group === 'rbac.authorization.k8s.io') return pathSegmentProblem(name);
  return kind.group === '' && labelNamed.has(kind.kind) ? dns1123LabelProblem(name) : dns1123SubdomainProblem(name);
}

/** Labels at any place that holds them: an object's metadata, a pod template's. */
export function labelProblems(labels: Readonly<Record<string, string>> | undefined, field: string): FieldProblem[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => {
    const keyProblem = labelKeyProblem(key);
    const valueProblem = labelValueProblem(value);
    return [
      ...(keyProblem === undefined ? [] : [invalidValue(field, key, keyProblem)]),
      ...(valueProblem === undefined ? [] : [invalidValue(field, value, valueProblem)]),
    ];
  });
}

/** Annotations at any place that holds them; a fate that the sandbox does not know would otherwise become `ok`. */
export function annotationProblems(
  annotations: Readonly<Record<string, string>> | undefined,
  field = 'metadata.annotations',
): FieldProblem[] {
  let bytes = 0;
  const problems: FieldProblem[] = [];
  for (const [key, value] of Object.entries(annotations ?? {})) {
    const problem = labelKeyProblem(key.toLowerCase());
    if (problem !== undefined) problems.push(invalidValue(field, key, problem));
    if (fateAnnotations.has(key) && !fates.some((fate) => fate === value))
      problems.push(unsupportedValue(`${field}[${key}]`, value, fates));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > maxAnnotationBytes) problems.push(tooLong(field, maxAnnotationBytes));
  return problems;
}
