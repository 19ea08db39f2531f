import type { RulesByGroup } from './rule.ts';

const ran = { ready: ['.phase=Succeeded|Successful'], failed: ['.phase=Failed|Error|Inconclusive'] };

/** Argo CD, Rollouts, Workflows and Events; Numaflow and Numaplane. */
export const argo: RulesByGroup = {
  'argoproj.io': {
    Rollout: {
      paused: ['.phase=Paused', '.spec.paused=true', 'Progressing:RolloutPaused'],
      failed: ['.phase=Degraded', 'InvalidSpec', 'Progressing:RolloutAborted', 'Progressing:ProgressDeadlineExceeded'],
      waiting: ['.phase=Progressing'],
      ready: ['Available'],
    },
    AnalysisRun: ran,
    Experiment: ran,
    Workflow: { ...ran, paused: ['.spec.suspend=true'] },
    CronWorkflow: { doubtful: ['SpecError', 'SubmissionError'], needsNoStatus: true },
    // Without automated syncs, somebody has to ask for one, unless nothing differs.
    Application: {
      paused: [
        '.spec.syncPolicy.automated=&.sync.status=OutOfSync|',
        '.spec.syncPolicy.automated.enabled=false&.sync.status=OutOfSync|',
      ],
      doubtful: ['.health.status=Degraded'],
      ready: ['.health.status=Healthy|Suspended'],
    },
    ApplicationSet: {
      doubtful: ['ErrorOccurred', 'ResourcesUpToDate=False'],
      waiting: ['RolloutProgressing'],
      ready: ['ResourcesUpToDate'],
    },
    AppProject: 'never-reports',
    AnalysisTemplate: 'never-reports',
    ClusterAnalysisTemplate: 'never-reports',
    WorkflowTemplate: 'never-reports',
    ClusterWorkflowTemplate: 'never-reports',
    EventBus: { doubtful: ['Deployed=False'], ready: ['Configured', 'Deployed'] },
    EventSource: { doubtful: ['SourcesProvided=False'], ready: ['Deployed'] },
    Sensor: { doubtful: ['DependenciesProvided=False', 'TriggersProvided=False'], ready: ['Deployed'] },
  },
  'numaflow.numaproj.io': {
    '*': {
      paused: ['.phase=Paused'],
      doubtful: ['.phase=Failed', '.drainStatus=Failed'],
      waiting: [
        'DaemonHealthy=False',
        'DaemonServiceHealthy=False',
        'PodsHealthy=False',
        'VerticesHealthy=False',
        'ChildrenResourcesHealthy=False',
        'SideInputsManagersHealthy=False',
      ],
      ready: ['.phase=Running|Completed'],
    },
  },
  'numaplane.numaproj.io': {
    '*': {
      paused: ['PipelinePausingOrPaused', 'MonoVertexPausingOrPaused'],
      doubtful: ['.phase=Failed', 'ProgressiveUpgradeSucceeded=False'],
      ready: ['.phase=Deployed', 'ChildResourcesHealthy'],
    },
  },
  'promoter.argoproj.io': {
    '*': { doubtful: ['.environments.*.phase=failure'], waiting: ['.environments.*.phase=pending'], ready: ['Ready'] },
  },
};
