import { objectAt } from '../../support/json.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../kubernetes.ts';
import { objectKey, type Resource, withoutFinalizer } from '../resource.ts';
import { type ControllerContext, controllerOfKind, isFinished } from './context.ts';
import type { Controller } from './manager.ts';

const protection = 'kubernetes.io/pvc-protection';

/** Binds each claim to a volume of its own at once, and lets a deleted claim go when no pod uses it. */
export const claimController = (context: ControllerContext): Controller =>
  controllerOfKind<PersistentVolumeClaim>(context, {
    name: 'claim',
    kind: context.kind('v1', 'PersistentVolumeClaim'),
    also: ({ storageKey, object }) =>
      storageKey === '/pods' ? claimsOf(object).map((name) => objectKey(object.metadata.namespace, name)) : [],
    reconcile(claim) {
      if (claim.metadata.deletionTimestamp !== undefined) release(context, claim);
      else if (claim.status?.phase !== 'Bound') bind(context, claim);
    },
  });

const claimsOf = (pod: Pod): string[] =>
  (pod.spec?.volumes ?? []).flatMap((volume) => {
    const name = volume.persistentVolumeClaim?.claimName;
    return name === undefined ? [] : [name];
  });

function bind(context: ControllerContext, claim: PersistentVolumeClaim): void {
  const spec = objectAt(claim, 'spec') ?? {};
  const { uid, name, namespace } = claim.metadata;
  const volumeName = claim.spec?.volumeName ?? `pvc-${uid}`;
  const capacity = { storage: claim.spec?.resources?.requests?.['storage'] };
  const volumeKind = context.kind('v1', 'PersistentVolume');
  if (context.environment.store.get('/persistentvolumes', undefined, volumeName) === undefined) {
    const volume = context.create(volumeKind, undefined, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: volumeName },
      spec: {
        capacity,
        accessModes: spec.accessModes,
        claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
        persistentVolumeReclaimPolicy: 'Delete',
        storageClassName: spec.storageClassName ?? '',
        volumeMode: spec.volumeMode,
        hostPath: { path: `/sandbox/${volumeName}` },
      },
    });
    context.setStatus(volumeKind, volume, { phase: 'Bound' });
  }
  const claimKind = context.kind('v1', 'PersistentVolumeClaim');
  const bound = context.change(claimKind, claim, { ...(claim as Resource), spec: { ...spec, volumeName } });
  context.setStatus(claimKind, bound, { phase: 'Bound', accessModes: spec.accessModes, capacity });
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
