import { groupOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { type JsonObject, objectAt, textOf } from '../../support/json.ts';

const isKyvernoPolicy = ({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): boolean =>
  groupOf(apiVersion) === 'policies.kyverno.io' && kind === 'ValidatingPolicy';

const isMutating = ({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): boolean =>
  groupOf(apiVersion) === 'admissionregistration.k8s.io' && kind.startsWith('MutatingAdmissionPolicy');

/** What is no ValidatingAdmissionPolicy, and is judged as one. */
export const isOtherPolicy = ({ object, malformed }: Pick<Manifest, 'object' | 'malformed'>): boolean =>
  malformed === undefined && (isKyvernoPolicy(object) || isMutating(object));

/** The name of a policy that changes objects, by that of the one that says which; undefined of any other. */
export const mutatingPolicy = (policy: string): string | undefined =>
  policy.endsWith(mutatingSuffix) ? policy.slice(0, -mutatingSuffix.length) : undefined;
const mutatingSuffix = '.mutating';

/**
 * Policies as ValidatingAdmissionPolicies, which have the same parts. A ValidatingPolicy of Kyverno's is bound to everything;
 * of a MutatingAdmissionPolicy one warns of each object that it would change. Any other object is itself.
 */
export function asAdmissionPolicies(manifest: Manifest): readonly Manifest[] {
  const { object } = manifest;
  if (!isOtherPolicy(manifest)) return [manifest];
  const { name } = object.metadata;
  const spec = objectAt(object as unknown as JsonObject, 'spec') ?? {};
  const parts = Object.fromEntries(Object.entries(spec).filter(([key]) => sharedParts.has(key)));
  const made = (kind: string, itsName: string, itsSpec: JsonObject): Manifest => {
    const policy = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: itsName }, spec: itsSpec };
    return { ...manifest, object: policy as unknown as KubernetesObject };
  };
  if (object.kind === 'MutatingAdmissionPolicy') {
    const { paramKind } = spec;
    const judging = { ...parts, ...(paramKind !== undefined && { paramKind }), failurePolicy: 'Ignore' };
    const validations = [{ expression: 'false' }];
    return [made('ValidatingAdmissionPolicy', `${name}${mutatingSuffix}`, { ...judging, validations })];
  }
  if (object.kind === 'MutatingAdmissionPolicyBinding') {
    const policyName = `${textOf(spec.policyName) ?? ''}${mutatingSuffix}`;
    return [
      made('ValidatingAdmissionPolicyBinding', `${name}${mutatingSuffix}`, {
        ...spec,
        policyName,
        validationActions: ['Warn'],
      }),
    ];
  }
  const validationActions = spec.validationActions ?? ['Deny'];
  return [
    made('ValidatingAdmissionPolicy', name, parts),
    made('ValidatingAdmissionPolicyBinding', name, { policyName: name, validationActions }),
  ];
}

/** What else Kyverno's have is about Kyverno: its webhooks, reports, and which controllers of pods it looks at. */
const sharedParts: ReadonlySet<string> = new Set([
  'auditAnnotations',
  'failurePolicy',
  'matchConditions',
  'matchConstraints',
  'validations',
  'variables',
]);
