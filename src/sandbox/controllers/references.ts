import { objectAt, textMap } from '../../support/json.ts';
import { type Container, isRoot, type Pod } from '../kubernetes.ts';
import type { Resource } from '../resource.ts';
import type { ControllerContext } from './context.ts';

/** A ConfigMap or Secret that a pod cannot start without, or one key of it. */
export interface Reference {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  readonly key?: string | undefined;
}

/** Finds what a reference names; by default what is stored, a rehearsal of programs may add to it. */
export type Find = (reference: Reference) => Resource | undefined;

/** What the kubelet cannot mount, one sentence for each volume. */
export function mountFailures(context: ControllerContext, pod: Pod, find: Find): string[] {
  return (pod.spec?.volumes ?? []).flatMap((volume) => {
    const why = volumeReferences(volume).flatMap((one) => missingText(one, find, keyOfVolumeText) ?? [])[0];
    const text = why ?? driverFailure(context, volume.csi?.driver);
    return text === undefined ? [] : [`MountVolume.SetUp failed for volume "${volume.name}" : ${text}`];
  });
}

type Volume = NonNullable<NonNullable<Pod['spec']>['volumes']>[number];

/** csi_mounter.go, SetUpAt */
function driverFailure({ environment }: ControllerContext, driver: string | undefined): string | undefined {
  if (driver === undefined || environment.store.get('storage.k8s.io/csidrivers', undefined, driver)) return undefined;
  return `kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name ${driver} not found in the list of registered CSI drivers`;
}

/** Why the kubelet cannot create a container; undefined when it can. */
export function containerFailure(pod: Pod, container: Container, find: Find): string | undefined {
  const { name, namespace, uid } = pod.metadata;
  if (isRoot(pod, container))
    return `container's runAsUser breaks non-root policy (pod: "${name}_${namespace}(${uid})", container: ${container.name})`;
  const texts = environmentReferences(container).map((one) => missingText(one, find, keyOfEnvironmentText(namespace)));
  return texts.find((text) => text !== undefined);
}

/** What a container that is told to be misconfigured would complain about, where all is there. */
export function inventedFailure(container: Container): string {
  const [first = { kind: 'ConfigMap', name: `${container.name}-config` } as const] = environmentReferences(container);
  return notFound(first);
}

/** A source of references as volumes and environments name one. */
interface Source {
  readonly name?: string | undefined;
  readonly secretName?: string | undefined;
  readonly key?: string | undefined;
  readonly items?: readonly { readonly key?: string | undefined }[] | undefined;
  readonly optional?: boolean | undefined;
}

function referencesIn(kind: Reference['kind'], source: Source | undefined): Reference[] {
  if (source === undefined || source.optional === true) return [];
  const name = source.name ?? source.secretName ?? '';
  const keys = source.items?.map(({ key }) => key) ?? [source.key];
  return keys.map((key) => ({ kind, name, key }));
}

export const environmentReferences = ({ env = [], envFrom = [] }: Container): Reference[] => [
  ...envFrom.flatMap(({ configMapRef, secretRef }) => [
    ...referencesIn('ConfigMap', configMapRef),
    ...referencesIn('Secret', secretRef),
  ]),
  ...env.flatMap(({ valueFrom }) => [
    ...referencesIn('ConfigMap', valueFrom?.configMapKeyRef),
    ...referencesIn('Secret', valueFrom?.secretKeyRef),
  ]),
];

export const volumeReferences = ({ configMap, secret, projected }: Volume): Reference[] => [
  ...referencesIn('ConfigMap', configMap),
  ...referencesIn('Secret', secret),
  ...(projected?.sources ?? []).flatMap((source) => [
    ...referencesIn('ConfigMap', source.configMap),
    ...referencesIn('Secret', source.secret),
  ]),
];

type KeyText = (reference: Reference) => string;

function missingText(reference: Reference, find: Find, keyText: KeyText): string | undefined {
  const object = find(reference);
  if (object === undefined) return notFound(reference);
  return hasKey(object, reference.key) ? undefined : keyText(reference);
}

export const hasKey = (object: Resource, key: string | undefined): boolean =>
  key === undefined || key in textMap(object.data) || objectAt(object, 'binaryData')?.[key] !== undefined;

/** The API's NotFound, as the kubelet passes it on. */
const notFound = ({ kind, name }: Reference): string => `${kind.toLowerCase()} "${name}" not found`;

/** kubelet_pods.go, makeEnvironmentVariables */
const keyOfEnvironmentText =
  (namespace: string | undefined): KeyText =>
  ({ kind, name, key }) =>
    `couldn't find key ${key} in ${kind} ${namespace}/${name}`;

/** volume/configmap/configmap.go and volume/secret/secret.go, MakePayload */
const keyOfVolumeText: KeyText = ({ kind, key }) =>
  kind === 'ConfigMap'
    ? `configmap references non-existent config key: ${key}`
    : `references non-existent secret key: ${key}`;
