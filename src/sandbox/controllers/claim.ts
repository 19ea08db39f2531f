import { quantityOf } from '../../go/quantity.ts';
import { type JsonObject, objectAt } from '../../support/json.ts';
import {
  isFinished,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type StorageClass,
} from '../kubernetes.ts';
import { keyOf, objectKey, type Resource, withoutFinalizer } from '../resource.ts';
import { matchesLabelSelector } from '../store/selectors.ts';
import { type ControllerContext, controllerOfKind } from './context.ts';
import { recordEvent } from './events.ts';
import type { Controller } from './manager.ts';

const protection = 'kubernetes.io/pvc-protection';
const noProvisioner = 'kubernetes.io/no-provisioner';
const claims = '/persistentvolumeclaims';

/** Binds each claim to a volume as its class says, and lets a deleted claim go when no pod uses it. */
export const claimController = (context: ControllerContext): Controller =>
  controllerOfKind<PersistentVolumeClaim>(context, {
    name: 'claim',
    kind: context.kind('v1', 'PersistentVolumeClaim'),
    also({ storageKey, object }) {
      if (storageKey === '/pods') return claimsOf(object).map((name) => objectKey(object.metadata.namespace, name));
      const isSource = storageKey === '/persistentvolumes' || storageKey === 'storage.k8s.io/storageclasses';
      return isSource ? [...context.environment.store.values(claims)].map(keyOf) : [];
    },
    reconcile(claim) {
      if (claim.metadata.deletionTimestamp !== undefined) release(context, claim);
      else if (claim.status?.phase !== 'Bound') bind(context, claim, false);
    },
  });

const claimsOf = (pod: Pod): string[] =>
  (pod.spec?.volumes ?? []).flatMap((volume) => {
    const name = volume.persistentVolumeClaim?.claimName;
    return name === undefined ? [] : [name];
  });

/** Why a pod's claims keep it from a node: for all nodes at once, or for each. A claim that waits for its pod is bound. */
export function claimObstacle(
  context: ControllerContext,
  pod: Pod,
): { readonly words: string; readonly isOfPod: boolean } | undefined {
  const { store } = context.environment;
  const { namespace } = pod.metadata;
  const missing = claimsOf(pod).find((name) => store.get(claims, namespace, name) === undefined);
  if (missing !== undefined) return { words: `persistentvolumeclaim "${missing}" not found`, isOfPod: true };
  for (const name of claimsOf(pod)) {
    const claim = store.get(claims, namespace, name) as PersistentVolumeClaim;
    if (claim.status?.phase === 'Bound') continue;
    if (!waitsForConsumer(classOf(context, claim)))
      return { words: 'pod has unbound immediate PersistentVolumeClaims', isOfPod: true };
    if (!bind(context, claim, true))
      return { words: "node(s) didn't find available persistent volumes to bind", isOfPod: false };
  }
  return undefined;
}

const classNameOf = ({ metadata, spec }: PersistentVolumeClaim): string =>
  spec?.storageClassName ?? metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? '';

const classOf = ({ environment }: ControllerContext, claim: PersistentVolumeClaim): StorageClass | undefined =>
  environment.store.get('storage.k8s.io/storageclasses', undefined, classNameOf(claim));

const waitsForConsumer = (storage: StorageClass | undefined): boolean =>
  storage?.volumeBindingMode === 'WaitForFirstConsumer';

/** Gives a claim the volume that suits it, or a new one of its class; tells whether it has one (pv_controller.go). */
function bind(context: ControllerContext, claim: PersistentVolumeClaim, hasConsumer: boolean): boolean {
  const storage = classOf(context, claim);
  const say = (type: 'Normal' | 'Warning', reason: string, message: string): false => {
    recordEvent(context, claim, { type, reason, message, source: 'persistentvolume-controller' });
    return false;
  };
  if (waitsForConsumer(storage) && !hasConsumer)
    return say('Normal', 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding');
  const found = suitingVolume(context, claim);
  if (found !== undefined) return bindTo(context, claim, found);
  // A volume of that name may still come.
  if (claim.spec?.volumeName !== undefined) return false;
  const name = classNameOf(claim);
  if (name === '')
    return say('Normal', 'FailedBinding', 'no persistent volumes available for this claim and no storage class is set');
  if (storage === undefined)
    return say('Warning', 'ProvisioningFailed', `storageclass.storage.k8s.io "${name}" not found`);
  if (storage.provisioner === noProvisioner && hasConsumer) return false;
  if (storage.provisioner === noProvisioner)
    return say('Warning', 'ProvisioningFailed', `no volume plugin matched name: ${noProvisioner}`);
  return bindTo(context, claim, newVolume(context, claim, storage));
}

/** The smallest volume that nobody has and that is what the claim asks for. */
function suitingVolume({ environment }: ControllerContext, claim: PersistentVolumeClaim): PersistentVolume | undefined {
  const { metadata, spec = {} } = claim;
  const asked = quantityOf(spec.resources?.requests?.['storage']) ?? 0;
  const sizeOf = (volume: PersistentVolume): number => quantityOf(volume.spec?.capacity?.['storage']) ?? 0;
  const suits = (volume: PersistentVolume): boolean => {
    const owner = volume.spec?.claimRef;
    if (owner !== undefined && (owner.namespace !== metadata.namespace || owner.name !== metadata.name)) return false;
    if (owner?.uid !== undefined && owner.uid !== metadata.uid) return false;
    if (spec.volumeName !== undefined) return volume.metadata.name === spec.volumeName;
    const modes = volume.spec?.accessModes ?? [];
    return (
      sizeOf(volume) >= asked &&
      (spec.accessModes ?? []).every((mode) => modes.includes(mode)) &&
      (volume.spec?.storageClassName ?? '') === classNameOf(claim) &&
      (volume.spec?.volumeMode ?? 'Filesystem') === (spec.volumeMode ?? 'Filesystem') &&
      (spec.selector === undefined ||
        matchesLabelSelector(spec.selector as unknown as JsonObject, volume.metadata.labels))
    );
  };
  const volumes: PersistentVolume[] = environment.store.list('/persistentvolumes');
  return volumes.filter(suits).sort((a, b) => sizeOf(a) - sizeOf(b))[0];
}

function newVolume(context: ControllerContext, claim: PersistentVolumeClaim, storage: StorageClass): PersistentVolume {
  const name = `pvc-${claim.metadata.uid}`;
  const { accessModes, volumeMode, resources } = objectAt(claim, 'spec') ?? {};
  return context.create(context.kind('v1', 'PersistentVolume'), undefined, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: objectAt(resources as JsonObject | undefined, 'requests') ?? {},
      accessModes,
      persistentVolumeReclaimPolicy: storage.reclaimPolicy ?? 'Delete',
      storageClassName: storage.metadata.name,
      volumeMode,
      hostPath: { path: `/sandbox/${name}` },
    },
  });
}

function bindTo(context: ControllerContext, claim: PersistentVolumeClaim, volume: PersistentVolume): true {
  const { uid, name, namespace } = claim.metadata;
  const volumeKind = context.kind('v1', 'PersistentVolume');
  const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid };
  const taken = context.change(volumeKind, volume, {
    ...(volume as Resource),
    spec: { ...objectAt(volume, 'spec'), claimRef },
  } as Resource);
  context.setStatus(volumeKind, taken, { phase: 'Bound' });
  const claimKind = context.kind('v1', 'PersistentVolumeClaim');
  const volumeName = volume.metadata.name;
  const bound = context.change(claimKind, claim, {
    ...claim,
    spec: { ...objectAt(claim, 'spec'), volumeName },
  } as Resource);
  const { accessModes, capacity } = objectAt(volume, 'spec') ?? {};
  context.setStatus(claimKind, bound, { phase: 'Bound', accessModes, capacity });
  return true;
}

function release(context: ControllerContext, claim: PersistentVolumeClaim): void {
  const { namespace, name, uid, finalizers = [] } = claim.metadata;
  const used = [...context.environment.store.values('/pods', namespace)].some(
    (pod) => !isFinished(pod) && claimsOf(pod).includes(name),
  );
  if (used || !finalizers.includes(protection)) return;
  context.change(context.kind('v1', 'PersistentVolumeClaim'), claim, withoutFinalizer(claim, protection));
  const volume = [...context.environment.store.values('/persistentvolumes')].find(
    (each: PersistentVolume) => each.spec?.claimRef?.uid === uid,
  );
  if (volume !== undefined) dropVolume(context, volume);
}

function dropVolume(context: ControllerContext, volume: PersistentVolume): void {
  if (volume.spec?.persistentVolumeReclaimPolicy !== 'Delete') return;
  const kind = context.kind('v1', 'PersistentVolume');
  const free = context.change(kind, volume, {
    ...(volume as Resource),
    metadata: { ...volume.metadata, finalizers: undefined },
  });
  context.delete(kind, free);
}
