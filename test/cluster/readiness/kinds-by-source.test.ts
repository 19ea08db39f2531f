import { expect, test } from 'vitest';
import { readiness } from '../../../src/cluster/readiness.ts';

// Rules of kinds of which Argo CD has no sample: the states that a status of theirs can have, by the source that is named.

const olm = 'operators.coreos.com/v1alpha1';
// github.com/operator-framework/api pkg/operators/v1alpha1/installplan_types.go: InstallPlanPhase
const installPlan = [olm, 'InstallPlan'] as const;
// The same, catalogsource_types.go: GRPCConnectionState
const catalog = [olm, 'CatalogSource'] as const;
// github.com/longhorn/longhorn-manager k8s/pkg/apis/longhorn/v1beta2/volume.go: VolumeState, VolumeRobustness
const volume = ['longhorn.io/v1beta2', 'Volume'] as const;
// github.com/vmware-tanzu/velero pkg/apis/velero/v1/backupstoragelocation_types.go: BackupStorageLocationPhase
const location = ['velero.io/v1', 'BackupStorageLocation'] as const;
// github.com/mongodb/mongodb-kubernetes docs/community-search/quick-start waits for the phase Running
const mongo = ['mongodbcommunity.mongodb.com/v1', 'MongoDBCommunity'] as const;

test.each([
  [installPlan, { phase: 'Planning' }, 'waiting'],
  [installPlan, { phase: 'Installing' }, 'waiting'],
  [installPlan, { phase: 'RequiresApproval' }, 'ready'],
  [installPlan, { phase: 'Complete' }, 'ready'],
  [installPlan, { phase: 'Failed' }, 'failed'],
  [catalog, { connectionState: { lastObservedState: 'CONNECTING' } }, 'waiting'],
  [catalog, { connectionState: { lastObservedState: 'TRANSIENT_FAILURE' } }, 'waiting'],
  [catalog, { connectionState: { lastObservedState: 'READY' } }, 'ready'],
  [volume, { state: 'creating', robustness: 'unknown' }, 'waiting'],
  [volume, { state: 'attached', robustness: 'healthy' }, 'ready'],
  [volume, { state: 'attached', robustness: 'degraded' }, 'ready'],
  [volume, { state: 'detached', robustness: 'unknown' }, 'ready'],
  [volume, { state: 'detached', robustness: 'faulted' }, 'waiting'],
  [location, { phase: 'Available' }, 'ready'],
  [location, { phase: 'Unavailable' }, 'waiting'],
  [mongo, { phase: 'Pending' }, 'waiting'],
  [mongo, { phase: 'Running' }, 'ready'],
  [mongo, { phase: 'Failed' }, 'waiting'],
])('%j with %j is %s', ([apiVersion, kind], status, state) => {
  const object = { apiVersion, kind, metadata: { name: 'x', generation: 1 }, status };
  expect(readiness(object, { strategy: 'watcher', waitForJobs: false }).state).toBe(state);
});
