import type { RulesByGroup } from './rule.ts';

const ready = { ready: ['Ready'] };
const flux = { paused: ['.spec.suspend=true'], doubtful: ['FetchFailed'], ready: ['Ready'] };
const run = { failed: ['Succeeded=False'], ready: ['Succeeded'] };
const gatekeeperError = '.byPod.*.errors.*.message';
const policy = { doubtful: ['.conditionStatus.ready=false'], ready: ['.conditionStatus.ready=true'] };

/** What delivers or governs other objects: Flux, Tekton, Knative, KEDA, Kyverno, OLM, secrets operators, Flagger. */
export const delivery: RulesByGroup = {
  'source.toolkit.fluxcd.io': {
    HelmRepository: { ...flux, settled: ['.spec.type=oci'] },
    ExternalArtifact: ready,
    '*': flux,
  },
  'kustomize.toolkit.fluxcd.io': { '*': flux },
  'helm.toolkit.fluxcd.io': { '*': { ...flux, doubtful: ['Stalled', 'Ready:InstallFailed', 'Ready:UpgradeFailed'] } },
  'image.toolkit.fluxcd.io': { '*': flux },
  'notification.toolkit.fluxcd.io': {
    Receiver: flux,
    '*': { ...flux, ready: [], needsNoStatus: true },
  },
  'tekton.dev': {
    PipelineRun: run,
    TaskRun: run,
    CustomRun: run,
    '*': 'never-reports',
  },
  'triggers.tekton.dev': { EventListener: { ready: ['Ready'] }, '*': { needsNoStatus: true } },
  'serving.knative.dev': { '*': ready },
  'eventing.knative.dev': { '*': ready },
  'operator.knative.dev': { '*': ready },
  'keda.sh': {
    ScaledObject: { paused: ['Paused'], doubtful: ['Ready=False', 'Fallback'], ready: ['Ready'] },
    ScaledJob: { paused: ['Paused'], doubtful: ['Ready=False'], ready: ['Ready'] },
    '*': { needsNoStatus: true },
  },
  'http.keda.sh': { '*': { doubtful: ['Ready=False'], needsNoStatus: true } },
  'kyverno.io': {
    Policy: ready,
    ClusterPolicy: ready,
    '*': { doubtful: ['Ready=False'], needsNoStatus: true },
  },
  'policies.kyverno.io': { PolicyException: 'never-reports', '*': policy },
  'constraints.gatekeeper.sh': { '*': { doubtful: [gatekeeperError], needsNoStatus: true } },
  'templates.gatekeeper.sh': { ConstraintTemplate: { doubtful: [gatekeeperError], ready: ['.created=true'] } },
  'policy.open-cluster-management.io': {
    CertificatePolicy: { doubtful: ['.compliant=NonCompliant'], ready: ['.compliant=Compliant'] },
    ConfigurationPolicy: { doubtful: ['.compliant=NonCompliant'], ready: ['.compliant=Compliant'] },
    OperatorPolicy: { doubtful: ['.compliant=NonCompliant'], ready: ['.compliant=Compliant', 'Compliant'] },
    Policy: { doubtful: ['.compliant=NonCompliant'], ready: ['.compliant=Compliant|'] },
  },
  'operators.coreos.com': {
    Subscription: {
      doubtful: ['InstallPlanFailed', 'ResolutionFailed', 'CatalogSourcesUnhealthy'],
      paused: ['InstallPlanMissing'],
      waiting: ['BundleUnpacking', 'InstallPlanPending:Installing'],
      ready: ['.state=AtLatestKnown|UpgradePending|UpgradeAvailable'],
    },
    ClusterServiceVersion: { doubtful: ['.phase=Failed'], ready: ['.phase=Succeeded'] },
    InstallPlan: { paused: ['.phase=RequiresApproval'], failed: ['.phase=Failed'], ready: ['.phase=Complete'] },
    CatalogSource: { ready: ['.connectionState.lastObservedState=READY'] },
    OperatorGroup: {},
  },
  'external-secrets.io': {
    ClusterExternalSecret: { doubtful: ['NotReady'], waiting: ['PartiallyReady=False'], ready: ['Ready'] },
    '*': ready,
  },
  'generators.external-secrets.io': { '*': 'never-reports' },
  'kubernetes-client.io': { ExternalSecret: { ready: ['.status=SUCCESS'] } },
  'bitnami.com': { SealedSecret: { doubtful: ['Synced=False'], ready: ['Synced'] } },
  'secrets.hashicorp.com': { '*': { doubtful: ['.valid=false', 'Ready=False', 'SecretSynced=False'] } },
  'onepassword.com': { OnePasswordItem: ready },
  'secrets-store.csi.x-k8s.io': { '*': 'never-reports' },
  'flagger.app': {
    Canary: { doubtful: ['.phase=Failed'], ready: ['.phase=Initialized|Succeeded'] },
    '*': 'never-reports',
  },
  'tower.ansible.com': {
    AnsibleJob: {
      failed: ['.ansibleJobResult.status=error|failed|canceled'],
      ready: ['.ansibleJobResult.status=successful'],
    },
  },
  'work.karmada.io': {
    Work: { ready: ['Applied'] },
    '*': {
      doubtful: ['Scheduled=False', '.aggregatedStatus.*.applied=false', '.aggregatedStatus.*.health=Unhealthy'],
      ready: ['FullyApplied'],
    },
  },
  'lifecycle.keptn.sh': {
    '*': {
      failed: ['.overallStatus=Failed', '.status=Failed'],
      ready: ['.overallStatus=Succeeded|', '.status=Succeeded|'],
    },
  },
  'metrics.keptn.sh': {
    Analysis: { waiting: ['.state=Pending|Progressing'], doubtful: ['.pass=false'] },
    KeptnMetric: { doubtful: ['.errMsg'], ready: ['.value'] },
  },
};
