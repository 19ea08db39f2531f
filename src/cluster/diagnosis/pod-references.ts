import { listOf, textOr } from '../../manifest/fields.ts';
import type { Container, Pod, Seen, Volume } from '../../manifest/kubernetes.ts';
import { kindAndName } from '../../manifest/resource-id.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import type { Reference, WorkloadFact } from '../../problem/workload-fact.ts';
import { hasRun } from './pod-facts.ts';
import type { DiagnosisReader } from './witness.ts';

/** A ConfigMap or Secret that a pod cannot start without, or one key of it. */
type Named = Reference & { readonly name: string };

/**
 * What a pod needs and is not there, beside what `fact` names. The kubelet names one at a time, the next when that one is
 * there. Asked only of a pod that has not come so far as to run.
 */
export async function alsoMissing(
  pod: Pod,
  fact: WorkloadFact,
  witness: DiagnosisReader,
): Promise<readonly Reference[]> {
  if (hasRun(fact) || fact.code === 'pod-unschedulable') return [];
  const { namespace = witness.namespace } = pod.metadata;
  const references = referencesOf(pod);
  const found = new Map<string, KubernetesObject | undefined>();
  await Promise.all(
    [...new Map(references.map((one) => [kindAndName(one), one]))].map(async ([title, { kind, name }]) => {
      const id = { apiVersion: 'v1', kind, namespace, name };
      const object = await witness.object(id);
      if (object !== undefined || !witness.isUnread(id)) found.set(title, object);
    }),
  );
  const missing = references.flatMap((one): readonly Reference[] => {
    if (!found.has(kindAndName(one))) return [];
    const object = found.get(kindAndName(one));
    const { kind, name, key } = one;
    const gone = object === undefined ? { kind, name } : one;
    if (object !== undefined && (key === undefined || hasKey(object, key))) return [];
    return fact.code === 'reference-missing' && isSame(fact.missing, gone) ? [] : [gone];
  });
  return missing.filter((one, index) => missing.findIndex((other) => isSame(one, other)) === index);
}

const isSame = (a: Reference, b: Reference): boolean =>
  a.kind === b.kind && a.key === b.key && (a.name === undefined || a.name === b.name);

function hasKey(object: KubernetesObject, key: string): boolean {
  const { data, binaryData } = object as { data?: object | null; binaryData?: object | null };
  return Object.hasOwn(data ?? {}, key) || Object.hasOwn(binaryData ?? {}, key);
}

const referencesOf = ({ spec }: Pod): readonly Named[] => [
  ...[...listOf(spec?.initContainers), ...listOf(spec?.containers)].flatMap(ofContainer),
  ...listOf(spec?.volumes).flatMap(ofVolume),
  ...listOf(spec?.imagePullSecrets).flatMap((secret) => ofSource('Secret', secret)),
];

const ofContainer = ({ env, envFrom }: Container): readonly Named[] => [
  ...listOf(env).flatMap(({ valueFrom }) => [
    ...ofSource('ConfigMap', valueFrom?.configMapKeyRef),
    ...ofSource('Secret', valueFrom?.secretKeyRef),
  ]),
  ...listOf(envFrom).flatMap(({ configMapRef, secretRef }) => [
    ...ofSource('ConfigMap', configMapRef),
    ...ofSource('Secret', secretRef),
  ]),
];

const ofVolume = ({ configMap, secret, projected }: Volume): readonly Named[] => [
  ...ofSource('ConfigMap', configMap),
  ...ofSource('Secret', secret && { name: secret.secretName, optional: secret.optional }),
  ...listOf(projected?.sources).flatMap((source) => [
    ...ofSource('ConfigMap', source.configMap),
    ...ofSource('Secret', source.secret),
  ]),
];

function ofSource(
  kind: Reference['kind'],
  source: Seen<{ name?: string; key?: string; optional?: boolean }> | null | undefined,
): readonly Named[] {
  const name = textOr(source?.name, '');
  if (name === '' || source?.optional === true) return [];
  const key = textOr(source?.key, '');
  return [{ kind, name, ...(key !== '' && { key }) }];
}
