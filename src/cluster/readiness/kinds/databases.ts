import type { RulesByGroup } from './rule.ts';

const ready = { ready: ['Ready'] };
const percona = {
  paused: ['.state=paused', '.spec.pause=true'],
  doubtful: ['.state=error'],
  ready: ['.state=ready'],
};
const elastic = { doubtful: ['.phase=Invalid', '.health=red'], ready: ['.health=green', '.phase=Ready|'] };
const applied = { doubtful: ['.applied=false'], ready: ['.applied=true'] };
const opensearch = {
  OpenSearchCluster: { ready: ['.phase=RUNNING'] },
  '*': { doubtful: ['.state=ERROR'], waiting: ['.state=PENDING'], needsNoStatus: true },
} as const;
const mariadbJob = { doubtful: ['Complete:JobFailed', 'Complete:Failed'] };
const mariadb = {
  Backup: mariadbJob,
  PhysicalBackup: mariadbJob,
  Restore: { ...mariadbJob, ready: ['Complete'] },
  SqlJob: { ...mariadbJob, ready: ['Complete'] },
  '*': ready,
};
const task = { doubtful: ['.failed'], ready: ['.finishTime', '.finished'] };

/** Databases, queues, search and object stores. */
export const databases: RulesByGroup = {
  'acid.zalan.do': {
    postgresql: {
      doubtful: ['.PostgresClusterStatus=CreateFailed|UpdateFailed|SyncFailed|Invalid'],
      ready: ['.PostgresClusterStatus=Running'],
    },
    OperatorConfiguration: 'never-reports',
  },
  'postgresql.cnpg.io': {
    Cluster: {
      paused: ['cnpg.io/hibernation'],
      doubtful: ['.phase=Cluster cannot execute instance online upgrade due to missing architecture binary'],
      ready: ['.phase=Cluster in healthy state', 'Ready'],
    },
    Backup: { failed: ['.phase=failed|walArchivingFailing'], ready: ['.phase=completed'] },
    Database: applied,
    DatabaseRole: applied,
    Publication: applied,
    Subscription: applied,
    Pooler: { paused: ['.phase=paused'], doubtful: ['.phase=failed', '.error'], waiting: ['.phase=inactive'] },
    ScheduledBackup: { doubtful: ['.error'], needsNoStatus: true },
    ImageCatalog: 'never-reports',
    ClusterImageCatalog: 'never-reports',
  },
  'postgres-operator.crunchydata.com': {
    PostgresCluster: { paused: ['.spec.shutdown=true', '.spec.paused=true'], ready: ['.instances.*.readyReplicas'] },
  },
  'mysql.oracle.com': { InnoDBCluster: { ready: ['.cluster.status=ONLINE'] } },
  'pxc.percona.com': { PerconaXtraDBCluster: percona },
  'psmdb.percona.com': { PerconaServerMongoDB: percona },
  'ps.percona.com': { PerconaServerMySQL: percona },
  'pgv2.percona.com': { PerconaPGCluster: percona },
  'k8s.mariadb.com': mariadb,
  'mariadb.mmontes.io': mariadb,
  'mongodbcommunity.mongodb.com': { '*': { doubtful: ['.phase=Failed'], ready: ['.phase=Running'] } },
  'mongodb.com': {
    MongoDBOpsManager: {
      doubtful: ['.opsManager.phase=Failed', '.applicationDatabase.phase=Failed', '.backup.phase=Failed'],
      waiting: ['.backup.phase=Pending|Reconciling'],
      ready: ['.opsManager.phase=Running', '.applicationDatabase.phase=Running'],
    },
    '*': { doubtful: ['.phase=Failed'], ready: ['.phase=Running|Updated'] },
  },
  'redis.redis.opstreelabs.in': { RedisCluster: { doubtful: ['.state=Failed'], ready: ['.state=Ready'] } },
  'rabbitmq.com': {
    RabbitmqCluster: {
      settled: ['.spec.replicas=0'],
      doubtful: ['ReconcileSuccess=False'],
      ready: ['AllReplicasReady', 'ClusterAvailable'],
    },
    '*': ready,
  },
  'kafka.strimzi.io': {
    KafkaNodePool: {},
    KafkaRebalance: { doubtful: ['NotReady'] },
    '*': { paused: ['ReconciliationPaused'], doubtful: ['NotReady'], ready: ['Ready'] },
  },
  'core.strimzi.io': { StrimziPodSet: {} },
  'kafka.banzaicloud.io': {
    KafkaCluster: {
      waiting: ['.brokersState.*.configurationState=ConfigOutOfSync'],
      ready: ['.state=ClusterRunning'],
    },
  },
  'cassandra.datastax.com': { CassandraDatacenter: { paused: ['Stopped'], ready: ['Ready'] } },
  'medusa.k8ssandra.io': { MedusaTask: task, MedusaBackupJob: task },
  'scylla.scylladb.com': { ScyllaCluster: { doubtful: ['Degraded'], waiting: ['Progressing'], ready: ['Available'] } },
  'clickhouse.altinity.com': {
    ClickHouseInstallation: { doubtful: ['.status=Aborted'], ready: ['.status=Completed'] },
  },
  'clickhouse-keeper.altinity.com': { '*': { doubtful: ['.status=Aborted'], ready: ['.status=Completed'] } },
  // Without a second node, replicas have no place, and the cluster stays yellow.
  'elasticsearch.k8s.elastic.co': { Elasticsearch: { ...elastic, ready: ['.health=green|yellow', '.phase=Ready'] } },
  'kibana.k8s.elastic.co': { Kibana: elastic },
  'beat.k8s.elastic.co': { Beat: elastic },
  'apm.k8s.elastic.co': { ApmServer: elastic },
  'agent.k8s.elastic.co': { Agent: elastic },
  'logstash.k8s.elastic.co': { Logstash: elastic },
  'opensearch.opster.io': opensearch,
  'opensearch.org': opensearch,
  'minio.min.io': { Tenant: { doubtful: ['.healthStatus=red'], ready: ['.currentState=Initialized'] } },
  'core.humio.com': {
    HumioCluster: { doubtful: ['.state=ConfigError'], ready: ['.state=Running'] },
    '*': { doubtful: ['.state=ConfigError'], ready: ['.state=Exists'] },
  },
  'platform.confluent.io': {
    Connector: {
      doubtful: ['.connectorState=FAILED', '.appState=Failed|Unknown'],
      ready: ['.connectorState=RUNNING'],
    },
  },
  'db.atlasgo.io': { '*': { failed: ['Ready:ApprovalRejected'], ready: ['Ready'] } },
  'jetstream.nats.io': { '*': ready },
};
