import { fateAnnotations, fates } from '../fates.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Resource } from '../resource.ts';
import { type FieldProblem, tooLong, unsupportedValue } from '../status.ts';
import { invalidIf, invalidText, requiredIf, type TextRule } from './checks.ts';
import {
  dns1123LabelProblem,
  dns1123SubdomainProblem,
  labelKeyProblem,
  labelValueProblem,
  pathSegmentProblem,
} from './names.ts';

const maxAnnotationBytes = 256 * 1024;

/** metav1.ObjectMeta's own rules: the name, label and annotation keys, finalizers, owners. */
export function metadataProblems(kind: Kind, object: Resource): FieldProblem[] {
  const { name, generateName = '', labels, annotations, ownerReferences, finalizers = [] } = object.metadata;
  const nameRule = nameRuleOf(kind);
  return [
    ...(generateName === '' ? [] : invalidText('metadata.generateName', generateName, nameRule(`${generateName}x`))),
    ...requiredIf(!name, 'metadata.name', 'name or generateName is required'),
    ...invalidText('metadata.name', name, name ? nameRule(name) : undefined),
    ...labelProblems(labels, 'metadata.labels'),
    ...annotationProblems(annotations),
    ...(ownerReferences ?? []).flatMap((owner) =>
      ['apiVersion', 'kind', 'name', 'uid'].flatMap((field) =>
        invalidIf(
          !owner[field],
          `metadata.ownerReferences.${field}`,
          '',
          `${field === 'apiVersion' ? 'version ' : ''}must not be empty`,
        ),
      ),
    ),
    ...finalizers.flatMap((each) => invalidText('metadata.finalizers', each, labelKeyProblem(each))),
    ...(foreignGroups.has(kind.group) || kind.custom !== undefined ? [] : finalizers).flatMap((each, index) =>
      invalidIf(
        !each.includes('/') && !ownFinalizers.has(each),
        `metadata.finalizers[${index}]`,
        each,
        foreignFinalizer,
      ),
    ),
  ];
}

/** Groups whose validation takes any finalizer for right. */
const foreignGroups = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'policy',
]);
const ownFinalizers = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);
const foreignFinalizer = 'name is neither a standard finalizer name nor is it fully qualified';

/** What a kind's objects may be called; most are DNS subdomains. */
const nameRules: Readonly<Record<string, TextRule>> = {
  '/Namespace': dns1123LabelProblem,
  '/Service': dns1123LabelProblem,
  'apps/StatefulSet': dns1123LabelProblem,
  'policy/PodDisruptionBudget': pathSegmentProblem,
  // A Job's name is its CronJob's with eleven characters more.
  'batch/CronJob': (name) =>
    dns1123SubdomainProblem(name) ?? (name.length > 52 ? 'must be no more than 52 characters' : undefined),
};

const pathNamed = new Set(['rbac.authorization.k8s.io', 'apiregistration.k8s.io']);

const nameRuleOf = ({ group, kind }: Kind): TextRule =>
  pathNamed.has(group) ? pathSegmentProblem : (nameRules[`${group}/${kind}`] ?? dns1123SubdomainProblem);

/** Labels at any place that holds them: an object's metadata, a pod template's. */
export function labelProblems(labels: Readonly<Record<string, string>> | undefined, field: string): FieldProblem[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...invalidText(field, key, labelKeyProblem(key)),
    ...invalidText(field, value, labelValueProblem(value ?? '')),
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
