import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { printTable } from './timing.mjs';

/** Planning alone, without loading and rendering: order, plan and hazards, of charts of 1 ×, 2 × and 4 × the size. */
export async function planning({ root }) {
  const library = await import(pathToFileURL(join(root, 'dist', 'index.mjs')).href);
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  const cases = [];
  for (const factor of [1, 2, 4]) {
    const chart = await library.loadChart(manySubcharts(join(folder, `${factor}`), 50 * factor, 50));
    cases.push({ name: `${50 * factor} subcharts, ${2500 * factor} resources`, ...(await rendered(library, chart)) });
  }
  const rows = cases.map(({ name }) => ({ name, times: [] }));
  for (let run = 0; run < 8; run++) {
    cases.forEach((given, index) => {
      const started = performance.now();
      plan(library, given);
      if (run > 0) rows[index].times.push(performance.now() - started); // the first round compiles
    });
  }
  for (const { times } of rows) times.sort((a, b) => a - b);
  printTable('planning: --wait=ordered, its hazards included', rows);
  rmSync(folder, { recursive: true });
}

function plan({ orderedUnit, planInstall, hazardsOf }, { chart, prepared, manifests, hooks }) {
  const { unit } = orderedUnit(chart, prepared.chart, manifests);
  const input = { release: 'rel', namespace: 'default', strategy: 'ordered', manifests, hooks, unit };
  hazardsOf(planInstall(input));
}

async function rendered({ prepareChart, renderRelease }, chart) {
  const prepared = prepareChart(chart, new Map());
  const release = { name: 'rel', namespace: 'default', revision: 1, isInstall: true };
  const { manifests, hooks } = await renderRelease(prepared, new Map(), { release, legalAnnotations: true });
  return { chart, prepared, manifests, hooks };
}

/** Subcharts in ten layers, each waiting for two of the layer before, with groups of Deployments and their ConfigMaps. */
function manySubcharts(directory, count, resources) {
  const write = (file, text) => {
    mkdirSync(join(directory, file, '..'), { recursive: true });
    writeFileSync(join(directory, file), text);
  };
  const perLayer = count / 10;
  const entries = Array.from({ length: count }, (_, index) => {
    const after = index < perLayer ? [] : [index - perLayer, index - perLayer + (index % perLayer === 0 ? 1 : -1)];
    const name = `svc${index}`;
    write(`charts/${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`);
    write(`charts/${name}/templates/all.yaml`, manyResources(name, resources / 2));
    return `- {name: ${name}, version: 1.0.0, depends-on: [${after.map((other) => `svc${other}`).join(', ')}]}\n`;
  });
  write('Chart.yaml', `apiVersion: v2\nname: umbrella\nversion: 1.0.0\ndependencies:\n${entries.join('')}`);
  return directory;
}

const manyResources = (name, count) => `{{- range $i := until ${count} }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}-{{ $i }}
  annotations: {helm.sh/resource-group: config}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}-{{ $i }}
  annotations:
    helm.sh/resource-group: app{{ mod $i 5 }}
    helm.sh/depends-on/resource-groups: config
spec:
  selector: {matchLabels: {app: ${name}-{{ $i }}}}
  template:
    metadata: {labels: {app: ${name}-{{ $i }}}}
    spec:
      containers: [{name: main, image: busybox, envFrom: [{configMapRef: {name: ${name}-{{ $i }}}}]}]
{{- end }}
`;
