import { listOf, textOr } from '../../manifest/fields.ts';
import type { Container, Pod, Seen, Volume } from '../../manifest/kubernetes.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import type { Evidence } from './evidence.ts';
import type { PodTrouble } from './pod-trouble.ts';

/** A ConfigMap or Secret that a pod cannot start without, or one key of it. */
interface Reference {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  readonly key?: string | undefined;
}

/**
 * What a pod needs and is not there, beside what `reason` names: `Secret/db`, `key mode of ConfigMap/settings`. The kubelet
 * tells one at a time, the next when that one is mended. Asked only of a pod that has not come so far as to run.
 */
export async function missingReferences(
  pod: Pod,
  { reason, hasRun, isUnready }: PodTrouble,
  evidence: Evidence,
): Promise<readonly string[]> {
  if (hasRun || isUnready === true || reason.startsWith('Unschedulable')) return [];
  const { namespace = evidence.namespace } = pod.metadata;
  const references = referencesOf(pod);
  const names = new Map(references.map(({ kind, name }) => [`${kind}/${name}`, { kind, name }]));
  const found = new Map<string, KubernetesObject | undefined>();
  await Promise.all(
    [...names].map(async ([title, { kind, name }]) => {
      const object = await evidence.object({ apiVersion: 'v1', kind, namespace, name });
      if (object !== undefined || !evidence.isUnread({ apiVersion: 'v1', kind, namespace, name }))
        found.set(title, object);
    }),
  );
  const missing = references.flatMap(({ kind, name, key }) => {
    const title = `${kind}/${name}`;
    if (!found.has(title)) return [];
    const object = found.get(title);
    if (object === undefined) return reason.includes(`${kind.toLowerCase()} "${name}" not found`) ? [] : [title];
    if (key === undefined || hasKey(object, key) || reason.includes(`find key ${key} in `)) return [];
    return [`key ${key} of ${title}`];
  });
  return [...new Set(missing)];
}

function hasKey(object: KubernetesObject, key: string): boolean {
  const { data, binaryData } = object as { data?: object | null; binaryData?: object | null };
  return Object.hasOwn(data ?? {}, key) || Object.hasOwn(binaryData ?? {}, key);
}

const referencesOf = ({ spec }: Pod): readonly Reference[] => [
  ...[...listOf(spec?.initContainers), ...listOf(spec?.containers)].flatMap(ofContainer),
  ...listOf(spec?.volumes).flatMap(ofVolume),
  ...listOf(spec?.imagePullSecrets).flatMap((secret) => ofSource('Secret', secret)),
];

const ofContainer = ({ env, envFrom }: Container): readonly Reference[] => [
  ...listOf(env).flatMap(({ valueFrom }) => [
    ...ofSource('ConfigMap', valueFrom?.configMapKeyRef),
    ...ofSource('Secret', valueFrom?.secretKeyRef),
  ]),
  ...listOf(envFrom).flatMap(({ configMapRef, secretRef }) => [
    ...ofSource('ConfigMap', configMapRef),
    ...ofSource('Secret', secretRef),
  ]),
];

const ofVolume = ({ configMap, secret, projected }: Volume): readonly Reference[] => [
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
): readonly Reference[] {
  const name = textOr(source?.name, '');
  if (name === '' || source?.optional === true) return [];
  return [{ kind, name, key: textOr(source?.key, '') || undefined }];
}
