import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configMap, documents, scratchDirectory, writeChart } from '../support/charts.ts';
import { adminOf } from '../support/namespaces.ts';
import { helm, ok } from '../support/programs.ts';
import { isFull } from './campaign.ts';

const directory = scratchDirectory();
const admin = adminOf('soak');
// Caches fill during the first hundred.
const upgrades = isFull ? 500 : 300;
const releases = isFull ? 200 : 40;
const processes = 8;
const megabyte = 2 ** 20;

const chart = writeChart(directory, 'soak', {
  'templates/all.yaml': documents(...['a', 'b', 'c', 'd', 'e'].map((name) => configMap(name, '{{ .Values.round }}'))),
  'values.yaml': 'round: 0\n',
});

/** A program on the built library, so that what one process keeps over many deploys can be measured. */
const program = join(directory, 'soak.mjs');
// Written once: a process that starts while the file is written again would run an empty program.
writeFileSync(
  program,
  `
import { actionContext, connect, install, loadChart, upgrade } from ${JSON.stringify(join(process.cwd(), 'dist/engine.mjs'))};
const [, , chartPath, namespace, prefix, ...numbers] = process.argv;
const [count, rounds] = numbers.map(Number);
const cluster = await connect({ namespace });
const chart = await loadChart(chartPath);
const heaps = [];
for (let release = 0; release < count; release++) {
  const name = prefix + release;
  await install(chart, new Map([['round', 'r0']]), { name }, actionContext(cluster, { namespace }));
  for (let round = 1; round <= rounds; round++) {
    const values = new Map([['round', 'r' + round]]);
    await upgrade(chart, values, { name, maxHistory: 5 }, actionContext(cluster, { namespace }));
    if (round % 10 !== 0) continue;
    globalThis.gc();
    heaps.push(process.memoryUsage());
  }
}
cluster.close();
console.log(JSON.stringify(heaps.map(({ heapUsed, rss, external }) => ({ heapUsed, rss, external }))));
`,
);

interface Memory {
  readonly heapUsed: number;
  readonly rss: number;
  readonly external: number;
}

async function runProgram(...words: readonly string[]): Promise<readonly Memory[]> {
  const child = spawn(process.execPath, ['--expose-gc', program, chart, admin.namespace, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  expect(code, err).toBe(0);
  return JSON.parse(out) as Memory[];
}

const statusesOf = async (release: string): Promise<string[]> => {
  const revisions = await admin.cluster().list('v1', 'Secret', {
    namespace: admin.namespace,
    labelSelector: `owner=helm,name=${release}`,
  });
  return revisions
    .map(({ metadata }) => metadata.labels ?? {})
    .sort((a, b) => Number(a['version']) - Number(b['version']))
    .map((labels) => `${labels['version']} ${labels['status']}`);
};

const valueOf = async (name: string): Promise<unknown> => (await admin.object('v1', 'ConfigMap', name))?.['data'];

test(`${upgrades} upgrades of one release in one process keep no memory`, { timeout: 3_600_000 }, async () => {
  const memory = await runProgram('steady-', '1', String(upgrades));
  const newest = upgrades + 1;
  expect(await statusesOf('steady-0')).toEqual([
    ...[4, 3, 2, 1].map((before) => `${newest - before} superseded`),
    `${newest} deployed`,
  ]);
  expect(await valueOf('steady-0-a')).toEqual({ value: `r${upgrades}` });
  expect(await ok(helm, ['status', 'steady-0', '-n', admin.namespace])).toContain('STATUS: deployed');
  // The first rounds fill caches and compile code; from then on a leak would show as growth with every round.
  const settled = memory.slice(Math.floor(memory.length / 3));
  const growth = growthOf(settled.map(({ heapUsed }) => heapUsed)) / megabyte;
  const [first, last] = [settled[0], settled.at(-1)].map((sample) => Math.round((sample?.rss ?? 0) / megabyte));
  console.log(
    `soak: ${upgrades} upgrades in one process: heap grows by ${(growth * 1024).toFixed(1)} KiB an upgrade, RSS ${first} → ${last} MiB`,
  );
  // One kept record alone would be several KiB.
  expect(growth * 1024).toBeLessThan(4);
});

/** Bytes an upgrade: the slope of the least-squares line; samples are ten upgrades apart. */
function growthOf(samples: readonly number[]): number {
  const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const indexes = samples.map((_, index) => index * 10);
  const [meanX, meanY] = [mean(indexes), mean(samples)];
  const covariance = mean(samples.map((sample, index) => ((indexes[index] ?? 0) - meanX) * (sample - meanY)));
  return covariance / mean(indexes.map((index) => (index - meanX) ** 2));
}

test(`${releases} releases by ${processes} processes at once`, { timeout: 1_800_000 }, async () => {
  const each = releases / processes;
  await Promise.all(Array.from({ length: processes }, (_, index) => runProgram(`many-${index}-`, String(each), '1')));
  const listed = JSON.parse(
    await ok(helm, ['list', '-n', admin.namespace, '--filter', '^many-', '--max', '1000', '-o', 'json']),
  ) as { name: string; revision: string; status: string }[];
  expect(listed).toHaveLength(releases);
  expect(listed.filter(({ revision, status }) => revision !== '2' || status !== 'deployed')).toEqual([]);
  const live = await admin.cluster().list('v1', 'ConfigMap', { namespace: admin.namespace });
  const own = live.filter(({ metadata }) => metadata.name.startsWith('many-'));
  expect(own).toHaveLength(releases * 5);
  expect(own.filter((object) => (object['data'] as { value?: string }).value !== 'r1')).toEqual([]);
  const locks = await admin.cluster().list('coordination.k8s.io/v1', 'Lease', { namespace: admin.namespace });
  expect(locks).toEqual([]);
  console.log(
    `soak: ${releases} releases by ${processes} processes at once, each installed and upgraded: all deployed`,
  );
});
