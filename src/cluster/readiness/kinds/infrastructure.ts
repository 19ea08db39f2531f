import type { RulesByGroup } from './rule.ts';

const ready = { ready: ['Ready'] };
const managed = {
  paused: ['Synced:ReconcilePaused', 'Established:InactiveManagedResource'],
  doubtful: ['Synced=False', 'LastAsyncOperation=False'],
};
const settings = {
  ProviderConfig: 'never-reports',
  ProviderConfigUsage: 'never-reports',
  ClusterProviderConfig: 'never-reports',
  ClusterProviderConfigUsage: 'never-reports',
  StoreConfig: 'never-reports',
} as const;

/** Clouds, clusters, machines, storage, backups, virtual machines, autoscaling. */
export const infrastructure: RulesByGroup = {
  '*.crossplane.io': {
    ...settings,
    Composition: 'never-reports',
    DeploymentRuntimeConfig: 'never-reports',
    EnvironmentConfig: 'never-reports',
    ImageConfig: 'never-reports',
    CompositeResourceDefinition: { ...managed, ready: ['Established'] },
    ManagedResourceDefinition: { ...managed, ready: ['Established'] },
    Configuration: { ready: ['Installed', 'Healthy'] },
    Provider: { ready: ['Installed', 'Healthy'] },
    Function: { ready: ['Installed', 'Healthy'] },
    ProviderRevision: { doubtful: ['Healthy=False', 'RevisionHealthy=False'] },
    ConfigurationRevision: { doubtful: ['Healthy=False', 'RevisionHealthy=False'] },
    FunctionRevision: { doubtful: ['Healthy=False', 'RevisionHealthy=False'] },
    ManagedResourceActivationPolicy: { ready: ['Healthy'] },
    Operation: { doubtful: ['Succeeded=False', 'ValidPipeline=False'], ready: ['Succeeded'] },
    CronOperation: { paused: ['Scheduling:SchedulePaused'], doubtful: ['Scheduling=False'], ready: ['Scheduling'] },
    WatchOperation: { paused: ['Watching:WatchPaused'], doubtful: ['Watching=False'], ready: ['Watching'] },
    '*': { ...managed, ready: ['Ready'] },
  },
  '*.upbound.io': { ...settings, '*': { ...managed, ready: ['Ready'] } },
  '*.services.k8s.aws': {
    '*': { failed: ['ACK.Terminal'], ready: ['ACK.ResourceSynced'] },
  },
  '*.cnrm.cloud.google.com': {
    '*': {
      paused: ['Ready:DependencyNotReady'],
      doubtful: ['Ready:UpdateFailed', 'Ready:DependencyNotFound', '.healthy=false'],
      waiting: ['Ready=False'],
    },
  },
  'cluster.x-k8s.io': {
    Cluster: {
      paused: ['.spec.paused=true'],
      doubtful: ['.phase=Failed'],
      waiting: ['Ready=False', 'Available=False'],
      ready: ['.phase=Provisioned'],
    },
    Machine: { doubtful: ['.phase=Failed'], ready: ['.phase=Running'] },
    MachineDeployment: { paused: ['.spec.paused=true'], doubtful: ['.phase=Failed'], ready: ['.phase=Running'] },
    MachinePool: { doubtful: ['.phase=Failed'], waiting: ['Ready=False', '.phase=Pending|Provisioning'] },
  },
  'controlplane.cluster.x-k8s.io': {
    AWSManagedControlPlane: { waiting: ['EKSControlPlaneUpdating', '.ready=false'], ready: ['Ready'] },
    '*': { waiting: ['Ready=False', 'Available=False', '.ready=false'] },
  },
  'addons.cluster.x-k8s.io': {
    ClusterResourceSet: { doubtful: ['ResourcesApplied=False'], ready: ['ResourcesApplied'] },
  },
  'core.gardener.cloud': {
    Shoot: {
      waiting: ['APIServerAvailable=False', 'ControlPlaneHealthy=False', 'SystemComponentsHealthy=False'],
      doubtful: ['.lastOperation.state=Failed|Error', 'ObservabilityComponentsHealthy=False'],
      ready: ['.lastOperation.state=Succeeded', 'APIServerAvailable'],
    },
  },
  'karpenter.sh': { NodePool: ready, NodeClaim: { waiting: ['Disrupting', 'Terminating'], ready: ['Ready'] } },
  'karpenter.k8s.aws': { '*': ready },
  'autoscaling.k8s.io': { '*': { needsNoStatus: true } },
  'velero.io': {
    Backup: { failed: ['.phase=Failed|PartiallyFailed|FailedValidation'], ready: ['.phase=Completed'] },
    Restore: { failed: ['.phase=Failed|PartiallyFailed|FailedValidation'], ready: ['.phase=Completed'] },
    Schedule: { paused: ['.spec.paused=true'], failed: ['.phase=FailedValidation'], ready: ['.phase=Enabled'] },
    BackupStorageLocation: { ready: ['.phase=Available'] },
    VolumeSnapshotLocation: { needsNoStatus: true },
  },
  'snapshot.storage.k8s.io': {
    VolumeSnapshotClass: 'never-reports',
    '*': { waiting: ['.readyToUse=false'], ready: ['.readyToUse=true'] },
  },
  'ceph.rook.io': {
    CephCluster: {
      doubtful: ['.state=Error', '.ceph.health=HEALTH_ERR'],
      waiting: ['.ceph.health=HEALTH_WARN', '.state=Creating|Updating|Connecting'],
    },
    '*': { doubtful: ['.phase=Failure'], waiting: ['.phase=Pending|Progressing|Connecting'] },
  },
  'objectbucket.io': { '*': { doubtful: ['.phase=Failed'], ready: ['.phase=Bound'] } },
  'longhorn.io': {
    Volume: { doubtful: ['.robustness=faulted'], ready: ['.state=attached|detached'] },
    '*': { needsNoStatus: true },
  },
  'trident.netapp.io': {
    TridentBackendConfig: {
      doubtful: ['.lastOperationStatus=Failed'],
      ready: ['.phase=Bound', '.lastOperationStatus=Success'],
    },
  },
  'astra.netapp.io': {
    ExecHook: { needsNoStatus: true },
    Schedule: { needsNoStatus: true },
    AppVault: { doubtful: ['.state=error|failed'], ready: ['.state=available'] },
    Application: { ready: ['Ready'] },
    '*': { failed: ['.state=Failed|Error'], waiting: ['.state=Running'] },
  },
  'kubevirt.io': {
    VirtualMachine: {
      paused: ['.spec.running=false', '.spec.runStrategy=Halted|Manual', 'Paused'],
      waiting: ['.printableStatus=Starting|Stopping|Provisioning'],
      ready: ['Ready'],
    },
    VirtualMachineInstance: {
      settled: ['.phase=Succeeded'],
      paused: ['Paused'],
      failed: ['.phase=Failed'],
      ready: ['Ready'],
    },
    KubeVirt: { ready: ['Available'] },
    '*': { needsNoStatus: true },
  },
  'cdi.kubevirt.io': {
    DataVolume: {
      paused: ['.phase=Paused|WaitForFirstConsumer|PendingPopulation'],
      doubtful: ['.phase=Failed'],
      ready: ['.phase=Succeeded'],
    },
  },
  'operator.openshift.io': {
    IngressController: { doubtful: ['Degraded'], waiting: ['PodsScheduled=False'], ready: ['Available'] },
  },
  'nmstate.io': {
    NodeNetworkConfigurationPolicy: { paused: ['Ignored'], doubtful: ['Degraded'], ready: ['Available'] },
  },
  'iammanager.keikoproj.io': {
    Iamrole: { doubtful: ['.state=Error|PolicyNotAllowed|RolesMaxLimitReached'], ready: ['.state=Ready'] },
  },
};
