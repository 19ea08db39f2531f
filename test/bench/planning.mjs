import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { printTable } from './timing.mjs';

const factors = [1, 2, 4];

/**
 * Planning alone, without loading and rendering: order, plan and hazards, of charts of 1 ×, 2 × and 4 × the size. Cold is
 * the first plan of a process, as every command makes it.
 */
export async function planning({ root }) {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  for (const factor of factors) manySubcharts(join(folder, `${factor}`), 50 * factor, 50);
  const rowsOf = (times) => factors.map((factor, index) => ({ name: titleOf(factor), times: times[index] }));
  printTable('planning, cold: --wait=ordered, its hazards included', rowsOf(coldTimes(root, folder)));
  printTable('planning, warm', rowsOf(await warmTimes(root, folder)));
  rmSync(folder, { recursive: true });
}

const titleOf = (factor) => `${50 * factor} subcharts, ${2500 * factor} resources`;

function coldTimes(root, folder) {
  const times = factors.map(() => []);
  for (let run = 0; run < 5; run++) {
    for (const [index, factor] of factors.entries()) {
      const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), root, join(folder, `${factor}`)]);
      if (child.status !== 0) throw new Error(String(child.stderr));
      times[index].push(Number(child.stdout));
    }
  }
  return times.map((list) => list.sort((a, b) => a - b));
}

async function warmTimes(root, folder) {
  const library = await libraryOf(root);
  const cases = [];
  for (const factor of factors) cases.push(await rendered(library, join(folder, `${factor}`)));
  const times = factors.map(() => []);
  for (let run = 0; run < 8; run++) {
    for (const [index, given] of cases.entries()) {
      const elapsedMs = planMs(library, given);
      if (run > 0) times[index].push(elapsedMs); // the first round compiles
    }
  }
  return times.map((list) => list.sort((a, b) => a - b));
}

const libraryOf = (root) => import(pathToFileURL(join(root, 'dist', 'index.mjs')).href);

function planMs(library, given) {
  const started = performance.now();
  plan(library, given);
  return performance.now() - started;
}

function plan({ orderedUnit, planInstall, hazardsOf }, { chart, prepared, manifests, hooks }) {
  const { unit } = orderedUnit(chart, prepared.chart, manifests);
  const input = { release: 'rel', namespace: 'default', strategy: 'ordered', manifests, hooks, unit };
  hazardsOf(planInstall(input));
}

async function rendered({ loadChart, prepareChart, renderRelease }, directory) {
  const chart = await loadChart(directory);
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

// The process of a cold plan: its root and its chart are the arguments.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [root, directory] = process.argv.slice(2);
  const library = await libraryOf(root);
  process.stdout.write(String(planMs(library, await rendered(library, directory))));
}
