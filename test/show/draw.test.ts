import { describe, expect, test } from 'vitest';
import { chartBatches } from '../../src/plan/dag.ts';
import { planInstall } from '../../src/plan/plan.ts';
import { prepareChart } from '../../src/render/release.ts';
import { dotText, mermaidText } from '../../src/show/diagram.ts';
import { planData } from '../../src/show/plan-data.ts';
import { drawPlan } from '../../src/show/tree.ts';
import { arranged, chartOf, layeredChart as files } from '../plan/charts.ts';
import { hookOf } from '../plan/manifests.ts';

async function plan() {
  const { unit, warnings, rendered } = await arranged(files);
  const { manifests } = rendered;
  const hooks = [hookOf('migrate')];
  return planInstall({ release: 'rel', namespace: 'default', strategy: 'ordered', manifests, hooks, unit, warnings });
}

const text = (block: string): string => block.replace(/^ {4}/gm, '').trimStart();

test('a plan as a tree of batches, each node with its reason', async () => {
  expect(drawPlan(await plan())).toBe(
    text(`
    install rel in namespace default (wait: ordered)
    ├─ run pre-install hooks
    │  └─ Job/migrate
    └─ apply foo
       ├─ batch 1 of 3
       │  └─ chart web
       │     ├─ batch 1 of 2
       │     │  └─ group one
       │     │     └─ ConfigMap/first
       │     └─ batch 2 of 2
       │        └─ group two  ← one (dependson.helm.sh/layer)
       │           └─ ConfigMap/second
       ├─ batch 2 of 3
       │  └─ chart bar  ← web (Chart.yaml depends-on)
       │     └─ ConfigMap/bar
       └─ batch 3 of 3
          └─ foo  ← bar (a sequenced subchart)
             └─ ConfigMap/sayhi
    `),
  );
});

test('a plan as data has names for objects', async () => {
  const { steps } = planData(await plan());
  expect(steps[0]).toEqual({ kind: 'run-hooks', event: 'pre-install', batches: [[['Job/migrate']]] });
  expect(steps[1]).toMatchObject({
    kind: 'apply',
    unit: {
      name: 'foo',
      batches: [
        { wait: true, nodes: [{ kind: 'unit', id: 'chart:web', name: 'web', after: [], unit: { name: 'web' } }] },
        { nodes: [{ id: 'chart:bar', after: ['chart:web'], because: ['web (Chart.yaml depends-on)'] }] },
        { nodes: [{ kind: 'resources', id: 'rest', after: ['chart:bar'], resources: ['ConfigMap/sayhi'] }] },
      ],
    },
  });
});

test('a plan as a Graphviz graph: arrows meet subcharts at their border', async () => {
  expect(dotText(await plan())).toBe(
    text(`
    digraph plan {
      compound=true;
      rankdir=LR;
      node [shape=box];
      step1 [label="pre-install hooks\\nJob/migrate"];
      subgraph cluster_step2 {
        label="apply foo";
        subgraph cluster_step2_1 {
          label="web";
          step2_1_1 [label="one\\nConfigMap/first"];
          step2_1_2 [label="two\\nConfigMap/second"];
        }
        subgraph cluster_step2_2 {
          label="bar";
          step2_2_1 [label="bar\\nConfigMap/bar"];
        }
        step2_3 [label="foo\\nConfigMap/sayhi"];
      }
      step1 -> step2_1_1 [lhead=cluster_step2];
      step2_1_1 -> step2_1_2;
      step2_1_1 -> step2_2_1 [ltail=cluster_step2_1, lhead=cluster_step2_2];
      step2_2_1 -> step2_3 [ltail=cluster_step2_2];
    }
    `),
  );
});

test('a plan as a Mermaid flowchart', async () => {
  expect(mermaidText(await plan())).toBe(
    text(`
    flowchart LR
      step1["pre-install hooks<br>Job/migrate"]
      subgraph step2 ["apply foo"]
        subgraph step2_1 ["web"]
          step2_1_1["one<br>ConfigMap/first"]
          step2_1_2["two<br>ConfigMap/second"]
        end
        subgraph step2_2 ["bar"]
          step2_2_1["bar<br>ConfigMap/bar"]
        end
        step2_3["foo<br>ConfigMap/sayhi"]
      end
      step1 --> step2
      step2_1_1 --> step2_1_2
      step2_1 --> step2_2
      step2_2 --> step2_3
    `),
  );
});

describe('the order of charts alone', () => {
  const batches = async (chartFiles: Readonly<Record<string, string>>) => {
    const chart = await chartOf(chartFiles);
    return chartBatches(chart, prepareChart(chart, new Map()).chart);
  };

  test('seed 004, the chart itself in the last batch', async () => {
    const subcharts = ['nginx', 'rabbitmq', 'bar', 'orphaned'].map((name) => [
      `charts/${name}/Chart.yaml`,
      `name: ${name}`,
    ]);
    const chartYaml =
      'name: foo\nannotations: {helm.sh/depends-on/subcharts: [bar, rabbitmq]}\ndependencies:\n- {name: nginx, version: 1.0.0}\n- {name: rabbitmq, version: 1.0.0}\n- {name: bar, version: 1.0.0, depends-on: [nginx, rabbitmq]}\n- {name: orphaned, version: 1.0.0}\n';
    expect(await batches({ 'Chart.yaml': chartYaml, ...Object.fromEntries(subcharts) })).toMatchObject({
      batches: [['nginx', 'rabbitmq'], ['bar'], ['foo', 'orphaned']],
      units: {},
    });
  });

  test('subcharts with subcharts have batches of their own', async () => {
    const { 'Chart.yaml': chartYaml, ...rest } = files;
    const nested = { 'charts/web/charts/low/Chart.yaml': 'name: low' };
    const inner = 'name: web\nannotations: {helm.sh/depends-on/subcharts: low}';
    expect(
      await batches({ 'Chart.yaml': chartYaml, ...rest, ...nested, 'charts/web/Chart.yaml': inner }),
    ).toMatchObject({
      batches: [['web'], ['bar'], ['foo']],
      units: { web: { batches: [['low'], ['web']], units: {} } },
    });
  });
});
