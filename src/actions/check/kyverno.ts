import { groupOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { type JsonObject, objectAt } from '../../support/json.ts';

export const isKyvernoPolicy = ({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): boolean =>
  groupOf(apiVersion) === 'policies.kyverno.io' && kind === 'ValidatingPolicy';

/**
 * Kyverno's CEL policies as Kubernetes' own, which have the same parts: a ValidatingPolicy is a ValidatingAdmissionPolicy that
 * is bound to everything. Any other object is itself.
 */
export function asAdmissionPolicies(manifest: Manifest): readonly Manifest[] {
  const { object } = manifest;
  if (manifest.malformed !== undefined || !isKyvernoPolicy(object)) return [manifest];
  const { name } = object.metadata;
  const spec = objectAt(object as unknown as JsonObject, 'spec') ?? {};
  const parts = Object.entries(spec).filter(([key]) => sharedParts.has(key));
  const validationActions = spec.validationActions ?? ['Deny'];
  const made = (kind: string, itsSpec: JsonObject): Manifest => {
    const policy = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, spec: itsSpec };
    return { ...manifest, object: policy as unknown as KubernetesObject };
  };
  return [
    made('ValidatingAdmissionPolicy', Object.fromEntries(parts)),
    made('ValidatingAdmissionPolicyBinding', { policyName: name, validationActions }),
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
