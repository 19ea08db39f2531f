import type { RulesByGroup } from './rule.ts';

const never = 'never-reports';
const prometheus = {
  doubtful: ['Reconciled=False'],
  waiting: ['Available=False', 'Available=Degraded', 'Available=Unknown', 'Reconciled=Unknown'],
};

/** Workloads, observability and applications. */
export const workloads: RulesByGroup = {
  'monitoring.coreos.com': {
    Prometheus: prometheus,
    PrometheusAgent: prometheus,
    Alertmanager: prometheus,
    ThanosRuler: prometheus,
    '*': never,
  },
  'operator.victoriametrics.com': {
    '*': {
      paused: ['.updateStatus=paused|ignored'],
      doubtful: ['.updateStatus=failed'],
      ready: ['.updateStatus=operational|'],
    },
  },
  'grafana.integreatly.org': {
    Grafana: { doubtful: ['.stageStatus=failed'], ready: ['.stage=complete', '.stageStatus=success'] },
    GrafanaFolder: { doubtful: ['NoMatchingFolder', 'FolderSynchronized=False', 'FolderUIDMismatch'] },
    GrafanaDashboard: { doubtful: ['NoMatchingInstance', 'DashboardSynchronized=False'] },
    GrafanaDatasource: { doubtful: ['.NoMatchingInstances=true', 'DatasourceSynchronized=False'] },
  },
  'datadoghq.com': { DatadogMetric: { paused: ['Active=False'], doubtful: ['Error'], ready: ['Valid'] } },
  'coralogix.com': { '*': { doubtful: ['RemoteSynced=False'], ready: ['RemoteSynced'] } },
  'kiali.io': { Kiali: { doubtful: ['Failure'], ready: ['Successful'] } },
  'apps.kruise.io': {
    BroadcastJob: { paused: ['.phase=paused'], failed: ['.phase=failed'], ready: ['.phase=completed'] },
    StatefulSet: { waiting: ['FailedCreatePod'] },
  },
  'rollouts.kruise.io': {
    Rollout: {
      paused: ['.canaryStatus.currentStepState=StepPaused'],
      doubtful: ['.phase=Disabled|Terminating'],
      waiting: ['.phase=Initial|Progressing'],
    },
  },
  'game.kruise.io': { GameServer: { ready: ['.currentState=Ready'] } },
  'apps.openshift.io': {
    DeploymentConfig: {
      settled: ['.spec.replicas=0'],
      paused: ['.spec.paused=true'],
      doubtful: ['Progressing:ProgressDeadlineExceeded'],
      ready: ['Progressing:NewReplicationControllerAvailable'],
    },
  },
  'flink.apache.org': {
    FlinkSessionJob: {
      paused: ['.jobStatus.state=SUSPENDED'],
      doubtful: ['.jobStatus.state=FAILED'],
      ready: ['.jobStatus.state=RUNNING|FINISHED'],
    },
    FlinkDeployment: {
      paused: ['.jobStatus.state=SUSPENDED', '.spec.job.state=suspended'],
      doubtful: ['.jobManagerDeploymentStatus=ERROR', '.jobStatus.state=FAILED'],
      ready: ['.jobManagerDeploymentStatus=READY', '.jobStatus.state=RUNNING|FINISHED|'],
    },
  },
  'batch.volcano.sh': {
    Job: {
      failed: ['.state.phase=Failed'],
      doubtful: ['.state.phase=Aborted|Terminated'],
      ready: ['.state.phase=Running|Completing|Completed'],
    },
  },
  'ray.io': {
    RayJob: {
      // Waiting: for the job that a person starts.
      paused: ['.spec.suspend=true', '.jobDeploymentStatus=Waiting'],
      failed: ['.jobDeploymentStatus=ValidationFailed'],
      doubtful: ['.jobDeploymentStatus=Failed'],
      ready: ['.jobDeploymentStatus=Running|Complete|Scheduled'],
    },
  },
  'sparkoperator.k8s.io': {
    SparkApplication: {
      failed: ['.applicationState.state=FAILED'],
      doubtful: ['.applicationState.state=SUBMISSION_FAILED'],
      ready: ['.applicationState.state=RUNNING|COMPLETED'],
    },
    ScheduledSparkApplication: { failed: ['.scheduleState=FailedValidation'], ready: ['.scheduleState=Scheduled|'] },
  },
  'core.spinkube.dev': {
    SpinApp: { doubtful: ['Progressing:ProgressDeadlineExceeded'], waiting: ['Progressing'], ready: ['Available'] },
    SpinAppExecutor: never,
  },
  'serving.kserve.io': {
    InferenceService: {
      paused: ['Stopped'],
      doubtful: ['.modelStatus.transitionStatus=BlockedByFailedLoad|InvalidSpec'],
      ready: ['Ready'],
    },
    LLMInferenceService: { paused: ['Ready:Stopped'], ready: ['Ready'] },
  },
  'kro.run': { '*': { doubtful: ['.state=ERROR|FAILED'], ready: ['Ready'] } },
  'capabilities.3scale.net': {
    Product: { doubtful: ['Failed', 'Invalid', 'Orphan'], ready: ['Synced'] },
    Backend: { doubtful: ['Failed', 'Invalid'], ready: ['Synced'] },
    '*': {
      paused: ['.state=suspended', '.developerUserState=suspended', 'Waiting'],
      doubtful: ['Failed', 'Invalid', 'Orphan', 'Ready=False'],
      ready: ['Ready'],
    },
  },
  'k8s.keycloak.org': { Keycloak: { doubtful: ['HasErrors'], ready: ['Ready'] } },
};
