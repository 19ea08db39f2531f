import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import yaml from 'js-yaml';
import { inTurns, measureOnce, median, printGoal, printTable, sorted, timeOnce } from './timing.mjs';

/** Of public charts, from two objects to a hundred with CRDs and hooks; $TSHELM_BENCH_CHARTS chooses others. */
const usualCharts = 'podinfo nats traefik ingress-nginx cert-manager argo-cd kyverno kube-prometheus-stack'.split(' ');
const ofHelm = 1 / 2;
const ofTheFloor = 1.15;

/**
 * `install --wait` of public charts beside Helm, and beside the floor: the same objects sent by bare-install.mjs; then the
 * same with the record, created and written once more. Each is installed `rounds` times, taking turns; no round begins
 * after `endsAt`. What it takes to start and to render is `template` alone, without the start of bare-install.mjs's Node.
 */
export async function waitedInstalls(archives, { access, tools, env, rounds, endsAt }) {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  const cluster = clusterOf(access);
  const floor = floorOf(access, folder);
  const runners = [
    ...tools.map((tool) => ({ name: tool.name, ...toolOf(tool, env) })),
    { name: 'floor', ...floor, install: (release, { record: _record, ...parts }) => floor.install(release, parts) },
    { name: 'floor with record', ...floor },
  ];
  const charts = [];
  for (const chart of chosenCharts(archives)) {
    const parts = await partsOf(chart, { tool: toolOf(tools[1], env), read: readerOf(tools[1], env), cluster });
    charts.push({ ...chart, parts, runs: runners.map(() => []), renders: tools.map(() => []), starts: [] });
  }
  for (let round = 0; round < rounds && Date.now() < endsAt; round++) {
    for (const { name, path, parts, runs, renders, starts } of charts) {
      starts.push(timeOnce({ command: process.execPath, args: ['-e', '0'] }));
      for (const [index, { command, args }] of inTurns(tools, round))
        renders[index].push(timeOnce({ command, args: [...args, 'template', 'x', path], env }));
      for (const [index, { install, remove }] of inTurns(runners, round)) {
        // A release of its own each time: objects of the whole cluster may outlive an uninstall.
        const release = { name: `b${round}${index}`, namespace: `bench-${name}-${round}${index}-${Date.now()}`, path };
        const own = partsFor(release, parts);
        runs[index].push(install(release, own));
        await remove(release, own, cluster);
        await removeCrds(cluster);
      }
    }
  }
  rmSync(folder, { recursive: true });
  tell(charts, runners, tools);
}

function chosenCharts(archives) {
  const names = process.env.TSHELM_BENCH_CHARTS?.split(',') ?? usualCharts;
  return names.flatMap((name) => {
    const file = readdirSync(archives).find((archive) => archive.replace(/-v?\d.*/, '') === name);
    return file === undefined ? [] : [{ name, path: join(archives, file) }];
  });
}

function tell(charts, runners, tools) {
  for (const { name, runs } of charts) {
    const table = (what) =>
      runners.map((runner, index) => ({ name: runner.name, times: sorted(runs[index].map((run) => run[what])) }));
    printTable(`deploying: install --wait of ${name}`, table('elapsedMs'));
    printTable(`deploying: install --wait of ${name}, processor time`, table('cpuMs'));
  }
  const middle = (times) => median(sorted(times));
  for (const [index, tool] of [...tools.entries()].slice(1)) {
    console.log(`\ndeploying: install --wait by ${tool.name} against its goals`);
    for (const { name, runs, renders, starts } of charts) {
      const time = (at) => middle(runs.at(at).map(({ elapsedMs }) => elapsedMs));
      const rendering = middle(renders[index]) - middle(starts);
      printGoal(`${name}, of Helm`, time(index) / time(0), ofHelm);
      printGoal(`${name}, of the floor`, time(index) / time(-2), ofTheFloor);
      const own = (time(index) / (time(-1) + rendering)).toFixed(2);
      const parts = `${time(-1).toFixed(0)} ms, start and rendering ${rendering.toFixed(0)} ms`;
      console.log(`  ${name.padEnd(32)} ${own} × the floor with record (${parts})`);
    }
  }
}

const toolOf = ({ command, args }, env) => {
  const call = ({ namespace }, ...words) => measureOnce({ command, args: [...args, ...words, '-n', namespace], env });
  return {
    install: (release) =>
      call(release, 'install', release.name, release.path, '--create-namespace', '--wait', '--timeout', '5m'),
    remove: (release) => call(release, 'uninstall', release.name),
  };
};

function floorOf({ server, token }, folder) {
  const file = join(folder, 'objects.json');
  const script = fileURLToPath(new URL('./bare-install.mjs', import.meta.url));
  return {
    install: (_release, parts) => {
      writeFileSync(file, JSON.stringify(parts));
      return measureOnce({ command: process.execPath, args: [script, server, token, file] });
    },
    remove: async ({ namespace }, { before, objects, after }, cluster) => {
      for (const { path } of [...before.flat(), ...objects, ...after.flat()]) await cluster.delete(path);
      await cluster.delete(`/api/v1/namespaces/${namespace}`);
    },
  };
}

const readerOf =
  ({ command, args }, env) =>
  (...words) => {
    const options = { env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: 1 << 28 };
    const { status, stdout, stderr } = spawnSync(command, [...args, ...words], options);
    if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}:\n${stderr}`);
    return stdout;
  };

/** Stands for a release's name: of the same length, and found nowhere else. */
const model = { name: 'qzq', namespace: 'qzq-namespace' };

/** What an install sends, in the parts in which it must be sent, with the path of each object: of a first one, by tshelm. */
async function partsOf({ path }, { tool, read, cluster }) {
  tool.install({ ...model, path });
  const { manifest, hooks = [] } = JSON.parse(read('status', model.name, '-n', model.namespace, '-o', 'json'));
  const crds = parsed(read('show', 'crds', path));
  const objects = parsed(manifest);
  const pathOf = await paths(cluster, [...crds, ...objects], model.namespace);
  const placed = (object, facts) => ({ path: pathOf(object), object, ...facts });
  const placedHook = ({ manifest: text, delete_policies: policies = [] }) =>
    placed(parsed(text)[0], { isDeleted: policies.includes('hook-succeeded') });
  const hooksOf = (event) => {
    const due = hooks.filter(({ events }) => events.includes(event));
    const weights = [...new Set(due.map(({ weight = 0 }) => weight))].sort((a, b) => a - b);
    return weights.map((weight) => due.filter((hook) => (hook.weight ?? 0) === weight).map(placedHook));
  };
  const record = await recordOf(cluster);
  tool.remove(model);
  await removeCrds(cluster);
  return {
    record,
    namespace: model.namespace,
    crds: crds.map((crd) => placed(crd)),
    before: hooksOf('pre-install'),
    objects: objects.map((object) => placed(object)),
    after: hooksOf('post-install'),
  };
}

/** The record of the model's first revision. */
async function recordOf(cluster) {
  const path = `/api/v1/namespaces/${model.namespace}/secrets/sh.helm.release.v1.${model.name}.v1`;
  const { apiVersion, kind, type, data, metadata } = await cluster.read(path, 'application/json');
  const { name, namespace, labels } = metadata;
  return { path, object: { apiVersion, kind, type, data, metadata: { name, namespace, labels } } };
}

const partsFor = ({ name, namespace }, parts) =>
  JSON.parse(JSON.stringify(parts).replaceAll(model.namespace, namespace).replaceAll(model.name, name));

const parsed = (text) => yaml.loadAll(text).filter((object) => object?.kind !== undefined);

/** The path of an object of a kind that is served, or that one of these objects defines. */
async function paths(cluster, objects, fallback) {
  const kinds = new Map();
  for (const root of ['/api', '/apis']) {
    for (const { metadata, versions } of (await cluster.discovery(root)).items) {
      const group = metadata?.name ?? '';
      for (const { version, resources } of versions) {
        const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
        for (const { resource, responseKind, scope } of resources ?? [])
          if (responseKind !== undefined)
            kinds.set(`${group}/${version} ${responseKind.kind}`, { prefix, plural: resource, scope });
      }
    }
  }
  for (const { spec } of objects.filter(({ kind }) => kind === 'CustomResourceDefinition')) {
    const { group, names, scope, versions } = spec;
    for (const { name } of versions)
      kinds.set(`${group}/${name} ${names.kind}`, { prefix: `/apis/${group}/${name}`, plural: names.plural, scope });
  }
  return ({ apiVersion, kind, metadata: { name, namespace = fallback } }) => {
    const key = `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`} ${kind}`;
    const { prefix, plural, scope } = kinds.get(key);
    return `${prefix}${scope === 'Namespaced' ? `/namespaces/${namespace}` : ''}/${plural}/${name}`;
  };
}

function clusterOf({ server, token }) {
  const headers = { authorization: `Bearer ${token}` };
  const read = async (path, accept) => (await fetch(server + path, { headers: { ...headers, accept } })).json();
  return {
    read,
    discovery: (root) => read(root, 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'),
    names: (path) => read(path, 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'),
    delete: async (path) => (await fetch(server + path, { method: 'DELETE', headers })).text(),
  };
}

/** CRDs outlive an uninstall; the next tool must find none, and an API server that has done with them. */
async function removeCrds(cluster) {
  const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  for (let attempt = 0; attempt < 100; attempt++) {
    await cluster.delete(collection);
    if (((await cluster.names(collection)).items ?? []).length === 0) break;
    await pause(200);
  }
  await pause(2_000);
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
