import { expect, test } from 'vitest';
import { readiness } from '../../../src/cluster/readiness.ts';
import { argoSamples } from './samples.ts';

// Argo CD has a health check for some 290 kinds, with real objects. What it calls Degraded, Progressing, Unknown or Missing
// must not count as ready, and what it calls Healthy must. What it calls Suspended waits for a person: a deploy does not.

const judged = argoSamples().map(({ name, verdict, object }) => ({
  sample: name.replace('/testdata', '').replace('.yaml', ''),
  verdict,
  state: readiness(object, { strategy: 'watcher', waitForJobs: true }).state,
}));

/** Why these count as ready although Argo CD says otherwise. */
const falselyReady: Readonly<Record<string, readonly string[]>> = {
  'kinds of Kubernetes itself: --wait judges them as Helm does': [
    'apiextensions.k8s.io/CustomResourceDefinition/crd-v1-non-structual-degraded',
    'batch/CronJob/degraded',
    'policy/PodDisruptionBudget/degraded',
    'policy/PodDisruptionBudget/progressing',
  ],
  'what it is for does not work, but it is set up itself': [
    'apps.kruise.io/AdvancedCronJob/activeJobs',
    'apps.kruise.io/AdvancedCronJob/notScheduled',
    'capsule.clastix.io/ResourcePool/degraded_exhausted',
    'cluster.x-k8s.io/MachineHealthCheck/degraded_expectedMachines',
    'promoter.argoproj.io/ArgoCDCommitStatus/no-applications',
    'promoter.argoproj.io/PromotionStrategy/no-environments',
  ],
  'it is set up, and its first run comes later': ['k8s.mariadb.com/Backup/failed'],
  'a cluster of one node stays yellow': ['elasticsearch.k8s.elastic.co/Elasticsearch/ready_yellow'],
  'a commit moves from one environment to the next: that is the work of people, and may take days': [
    'promoter.argoproj.io/ChangeTransferPolicy/active-dry-sha-missing',
    'promoter.argoproj.io/ChangeTransferPolicy/proposed-dry-sha-missing',
    'promoter.argoproj.io/PromotionStrategy/active-dry-sha-missing',
    'promoter.argoproj.io/PromotionStrategy/different-proposed-commits',
    'promoter.argoproj.io/PromotionStrategy/proposed-dry-sha-missing',
  ],
  'it is told to stop, or waits for a person': [
    'flink.apache.org/FlinkDeployment/progressing_suspending_after_deployment',
    'kubevirt.io/VirtualMachine/progressing_starting',
    'kubevirt.io/VirtualMachine/progressing_stopping',
    'pxc.percona.com/PerconaXtraDBCluster/paused',
    'rollouts.kruise.io/Rollout/degraded',
  ],
  'it takes a count, a label or an annotation to see': [
    'apps.kruise.io/CloneSet/degraded',
    'apps.kruise.io/DaemonSet/degraded',
    'apps.kruise.io/DaemonSet/no-update-strategy-partition',
    'argoproj.io/Rollout/bluegreen/progressing_addingMoreReplicas',
    'argoproj.io/Rollout/canary/progressing_killingOldReplicas',
    'argoproj.io/Rollout/progressing_newWorkloadGeneration',
    'cassandra.rook.io/Cluster/progressing',
    'elasticsearch.k8s.elastic.co/Elasticsearch/progressing',
    'game.kruise.io/GameServer/degraded',
    'grafana.integreatly.org/GrafanaDatasource/progressing',
    'kafka.banzaicloud.io/KafkaCluster/updating',
    'numaflow.numaproj.io/InterStepBufferService/degraded-progressive',
    'numaflow.numaproj.io/MonoVertex/degraded-progressive',
    'numaflow.numaproj.io/Pipeline/degraded-progressive',
    'opentelemetry.io/OpenTelemetryCollector/degraded',
    'opentelemetry.io/OpenTelemetryCollector/progressing',
    'zookeeper.pravega.io/ZookeeperCluster/progressing',
  ],
  'one of several gateways has accepted it': [
    'gateway.networking.k8s.io/BackendTLSPolicy/progressing_observed_generation',
    'gateway.networking.k8s.io/ListenerSet/progressing_no_listener',
    'microgateway.airlock.com/_/degraded_multiple_ancestors',
  ],
  'its status does not say which generation it is about': [
    'bitnami.com/SealedSecret/missing_observed_generation',
    'kro.run/ResourceGraphDefinition/missing_generation',
    'kro.run/_/missing_generation',
    'medusa.k8ssandra.io/MedusaBackupJob/backupjob_ok_but_no_observedgeneration',
    'medusa.k8ssandra.io/MedusaTask/task_ok_but_no_observedgeneration',
  ],
  'nothing is wrong with one without a status, if it is switched on': ['astra.netapp.io/ExecHook/progressing_nostatus'],
};

/** Why these are waited for although Argo CD calls them healthy. */
const waitedFor: Readonly<Record<string, readonly string[]>> = {
  'it is being deleted': [
    'kafka.strimzi.io/KafkaBridge/healthy',
    'kafka.strimzi.io/KafkaConnect/healthy',
    'kafka.strimzi.io/KafkaConnector/healthy',
  ],
  'its controller has not seen its last change': ['rabbitmq.com/Exchange/healthy'],
};

const samplesOf = (named: Readonly<Record<string, readonly string[]>>) => Object.values(named).flat().sort();

test('what is not ready is not called ready, but for the samples that are named', () => {
  const unready = judged.filter(({ verdict }) => verdict !== 'Healthy' && verdict !== 'Suspended');
  const found = unready.filter(({ state }) => state === 'ready').map(({ sample }) => sample);
  expect(found.sort()).toEqual(samplesOf(falselyReady));
  expect(found.length).toBeLessThanOrEqual(60);
  expect(unready.length).toBeGreaterThan(900);
});

test('what is healthy is ready, but for the samples that are named', () => {
  const healthy = judged.filter(({ verdict }) => verdict === 'Healthy');
  const found = healthy.filter(({ state }) => state !== 'ready').map(({ sample }) => sample);
  expect(found.sort()).toEqual(samplesOf(waitedFor));
  expect(found.length).toBeLessThanOrEqual(4);
  expect(healthy.length).toBeGreaterThan(400);
});

test('what is under way has not failed, but for a definition whose names are taken', () => {
  const found = judged.filter(({ verdict, state }) => verdict === 'Progressing' && state === 'failed');
  expect(found.map(({ sample }) => sample)).toEqual([
    'apiextensions.k8s.io/CustomResourceDefinition/crd-v1-not-established-progressing',
  ]);
});
