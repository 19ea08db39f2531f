/** A table of the specification: a chart, and the names of its workloads batch by batch, each batch sorted. */
export interface OrderingTable {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly batches: readonly (readonly string[])[];
}

/** The template of a workload of that name, with these annotations as the inside of a YAML flow mapping. */
export type WorkloadTemplate = (name: string, annotations?: string) => string;

/** The tables of ordered deployments: seed 004, both proposals of seed 002, HIP-0025. */
export const orderingTables = (workload: WorkloadTemplate): readonly OrderingTable[] => [
  {
    title: 'seed 004: subcharts',
    files: {
      'Chart.yaml':
        'apiVersion: v2\nname: foo\nversion: 1.0.0\nannotations: {helm.sh/depends-on/subcharts: "[\\"bar\\", \\"rabbitmq\\"]"}\ndependencies:\n- {name: nginx, version: 1.0.0}\n- {name: rabbitmq, version: 1.0.0}\n- {name: bar, version: 1.0.0, depends-on: [nginx, rabbitmq]}\n- {name: orphaned, version: 1.0.0}\n',
      ...subchart('nginx', workload),
      ...subchart('rabbitmq', workload),
      ...subchart('bar', workload),
      ...subchart('orphaned', workload),
      'templates/foo.yaml': workload('foo'),
    },
    batches: [['nginx', 'rabbitmq'], ['bar'], ['foo', 'orphaned']],
  },
  {
    title: 'seed 002, proposal 1: layers and a subchart',
    files: {
      'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies: [{name: x, version: 1.0.0}]\n',
      ...subchart('x', workload),
      'templates/foo.yaml': workload('foo', 'helm.sh/layer: layer1'),
      'templates/bar.yaml': workload('bar', 'helm.sh/layer: layer2, helm.sh/dependson/layer: layer1'),
      'templates/fizz.yaml': workload(
        'fizz',
        'helm.sh/layer: layer3, helm.sh/dependson/layer: layer1, helm.sh/dependson/chart: x',
      ),
    },
    batches: [
      ['foo', 'x'],
      ['bar', 'fizz'],
    ],
  },
  {
    title: 'seed 002, proposal 2: weights',
    files: {
      'templates/foo.yaml': workload('foo', 'helm.sh/weight: "-2"'),
      'templates/bar.yaml': workload('bar', 'helm.sh/weight: "-1"'),
      'templates/fizz.yaml': workload('fizz', 'helm.sh/weight: 0'),
    },
    batches: [['foo'], ['bar'], ['fizz']],
  },
  {
    title: 'HIP-0025: groups',
    files: {
      'templates/db.yaml': workload('db-service', 'helm.sh/resource-group: database'),
      'templates/app.yaml': workload(
        'my-app',
        'helm.sh/resource-group: app, helm.sh/depends-on/resource-groups: [database, queue]',
      ),
      'templates/queue.yaml': workload(
        'queue-processor',
        'helm.sh/resource-group: queue, helm.sh/depends-on/resource-groups: [another-group]',
      ),
    },
    batches: [['db-service', 'queue-processor'], ['my-app']],
  },
];

const subchart = (name: string, workload: WorkloadTemplate): Readonly<Record<string, string>> => ({
  [`charts/${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
  [`charts/${name}/templates/${name}.yaml`]: workload(name),
});
