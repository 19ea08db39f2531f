import {
  dns1123LabelProblem,
  dns1123SubdomainProblem,
  labelKeyProblem,
  labelValueProblem,
  pathSegmentProblem,
} from '../../kinds/names.ts';
import { fateAnnotations, fates } from '../fates.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Resource } from '../resource.ts';
import { type FieldProblem, tooLong, unsupportedValue } from '../status.ts';
import { invalidIf, invalidText, problemsOfEach, requiredIf } from './checks.ts';

const labelNamed = new Set(['Namespace', 'Service']);
const maxAnnotationBytes = 256 * 1024;

/** metav1.ObjectMeta's own rules: the name, label and annotation keys, finalizers, owners. */
export function metadataProblems(kind: Kind, object: Resource): FieldProblem[] {
  const { name, labels, annotations, ownerReferences } = object.metadata;
  return [
    ...requiredIf(!name, 'metadata.name', 'name or generateName is required'),
    ...invalidText('metadata.name', name, name ? nameProblem(kind, name) : undefined),
    ...labelProblems(labels, 'metadata.labels'),
    ...annotationProblems(annotations),
    ...problemsOfEach(ownerReferences, 'metadata.ownerReferences', (owner, at) =>
      ['apiVersion', 'kind', 'name', 'uid'].flatMap((field) =>
        invalidIf(!owner[field], `${at}.${field}`, '', `${field} must not be empty`),
      ),
    ),
  ];
}

function nameProblem(kind: Kind, name: string): string | undefined {
  if (kind.group === 'rbac.authorization.k8s.io') return pathSegmentProblem(name);
  return kind.group === '' && labelNamed.has(kind.kind) ? dns1123LabelProblem(name) : dns1123SubdomainProblem(name);
}

/** Labels at any place that holds them: an object's metadata, a pod template's. */
export function labelProblems(labels: Readonly<Record<string, string>> | undefined, field: string): FieldProblem[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...invalidText(field, key, labelKeyProblem(key)),
    ...invalidText(field, value, labelValueProblem(value)),
  ]);
}

/** Annotations at any place that holds them; a fate that the sandbox does not know would otherwise become `ok`. */
export function annotationProblems(
  annotations: Readonly<Record<string, string>> | undefined,
  field = 'metadata.annotations',
): FieldProblem[] {
  let bytes = 0;
  const problems: FieldProblem[] = [];
  for (const [key, value] of Object.entries(annotations ?? {})) {
    problems.push(...invalidText(field, key, labelKeyProblem(key.toLowerCase())));
    if (fateAnnotations.has(key) && !fates.some((fate) => fate === value))
      problems.push(unsupportedValue(`${field}[${key}]`, value, fates));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > maxAnnotationBytes) problems.push(tooLong(field, maxAnnotationBytes));
  return problems;
}
