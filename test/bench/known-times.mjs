import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';

export function report(title, allowedMs, { elapsedMs, cpuMs }) {
  const over = (100 * (elapsedMs - allowedMs)) / allowedMs;
  console.log(
    `  ${title.padEnd(32)} allowed ${allowedMs.toFixed(0).padStart(6)} ms  took ${elapsedMs.toFixed(0).padStart(6)} ms  ${over.toFixed(1).padStart(5)} % over  (CPU of the process ${cpuMs.toFixed(0)} ms)`,
  );
}

/** Wall and CPU time of a process, by bash's `time`. */
export function timedProcess(words, env) {
  const child = spawn('bash', ['-c', 'TIMEFORMAT="%R %U %S"; time "$0" "$@" >/dev/null', ...words], { env });
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`${words.join(' ')} failed:\n${stderr}`));
      const [real, user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
      return resolve({ elapsedMs: real * 1000, cpuMs: (user + system) * 1000 });
    });
  });
}

/** Watches a namespace's Deployments; `end` tells how long each took from its creation to its being available. */
export function observeDeployments(kubeconfig, namespace) {
  const text = readFileSync(kubeconfig, 'utf8');
  const server = /server: "?([^"\s}]+)/.exec(text)[1];
  const token = /token: ([^\s}]+)/.exec(text)[1];
  const seen = new Map();
  const took = new Map();
  let rest = '';
  const watch = request(`${server}/apis/apps/v1/namespaces/${namespace}/deployments?watch=true`, {
    headers: { authorization: `Bearer ${token}` },
    rejectUnauthorized: false,
  });
  watch.on('error', () => {});
  watch.on('response', (response) => {
    response.on('error', () => {});
    response.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) note(JSON.parse(line).object);
    });
  });
  watch.end();
  const note = ({ metadata, spec, status }) => {
    const now = performance.now();
    if (!seen.has(metadata.name)) seen.set(metadata.name, now);
    if (status.availableReplicas !== spec.replicas || took.has(metadata.name)) return;
    took.set(metadata.name, now - seen.get(metadata.name));
  };
  return {
    end() {
      watch.destroy();
      return took;
    },
  };
}

/**
 * Units with a time each, that wait for up to three of those before them; the same for the same seed. The last one waits
 * for all that would stand alone: subcharts that no declaration names begin only when all others are ready.
 */
export function generatedGraph(seed, count) {
  let state = seed * 2654435761;
  const random = () => (state = (state * 1664525 + 1013904223) % 2 ** 32) / 2 ** 32;
  const graph = Array.from({ length: count }, (_, index) => {
    const before = Array.from({ length: Math.floor(random() * 4) }, () => Math.floor(random() * index));
    const waitsFor = index < 6 ? [] : [...new Set(before)].map((one) => `u${one}`);
    return { name: `u${index}`, readyMs: 2000 + 500 * Math.floor(random() * 7), waitsFor };
  });
  const named = new Set(graph.flatMap(({ waitsFor }) => waitsFor));
  const last = graph.at(-1);
  const alone = graph.filter((unit) => unit !== last && unit.waitsFor.length === 0 && !named.has(unit.name));
  last.waitsFor.push(...alone.map(({ name }) => name));
  return graph;
}

/** What the graph allows where each begins the moment that those it waits for are ready. */
export function longestPathMs(graph, nodeMs) {
  const ends = new Map();
  for (const { name, waitsFor } of graph)
    ends.set(name, nodeMs.get(name) + Math.max(0, ...waitsFor.map((one) => ends.get(one))));
  return Math.max(...ends.values());
}

/** A Deployment whose pod is ready so long after it was made, on the control plane of the end-to-end tests. */
export function writeDeployment(folder, name, readyMs) {
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(
    join(folder, 'templates', `${name}.yaml`),
    `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}, annotations: {e2e.tshelm.dev/ready-after: ${readyMs}ms}}
    spec: {containers: [{name: main, image: example.com/main:1}]}
`,
  );
}
