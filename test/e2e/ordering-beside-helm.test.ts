import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type OrderingTable, orderingTables } from '../plan/ordering-tables.ts';
import { scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { batchesOf, deletedDuring, inBatches, podLives, workload } from './support/order.ts';
import { helm, helm3, ok, type Program, tshelm } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('ordering-helm');
const { namespace } = admin;
const inNamespace = ['-n', namespace, '--timeout', '120s'];
const byTshelm = [...inNamespace, '--wait=ordered'];
const byHelm = [...inNamespace, '--wait'];

const values = (tag: string, ready = '0s'): readonly string[] => ['--set', `global.tag=${tag},global.ready=${ready}`];

const grouped = (name: string, after?: string): string =>
  workload(
    name,
    `helm.sh/resource-group: ${name}${after === undefined ? '' : `, helm.sh/depends-on/resource-groups: [${after}]`}`,
  );

/** The tables, and a chain that no order by kind or name would give. */
const tables: readonly OrderingTable[] = [
  ...orderingTables(workload),
  {
    title: 'a chain against the alphabet',
    files: {
      'templates/a.yaml': grouped('a', 'b'),
      'templates/b.yaml': grouped('b', 'c'),
      'templates/c.yaml': grouped('c'),
    },
    batches: [['c'], ['b'], ['a']],
  },
];

/** What tshelm sends of a chart, as a chart that Helm can install: with the legal keys. */
async function legalChart(chart: string, folder: string, { files }: OrderingTable, tag: string): Promise<string> {
  const text = await ok(tshelm, ['template', 'mixed', chart, '--wait=ordered', ...values(tag)]);
  const documents = text.split(/^---\n/m).flatMap((document) => {
    const source = /^# Source: [^/]+\/(.*)$/m.exec(document)?.[1];
    return source === undefined ? [] : [[source, document] as const];
  });
  const metadata = Object.entries(files).filter(([file]) => file.endsWith('Chart.yaml'));
  return writeChart(join(directory, folder), 'legal', Object.fromEntries([...metadata, ...documents]));
}

/** Annotation keys with two slashes: of the live objects, and of every revision's manifest. */
async function illegalKeys(): Promise<readonly string[]> {
  const live = await admin.cluster().list('apps/v1', 'Deployment', { namespace });
  const revisions = JSON.parse(await ok(helm, ['history', 'mixed', '-n', namespace, '-o', 'json'])) as readonly {
    readonly revision: number;
  }[];
  const stored = await Promise.all(
    revisions.map(({ revision }) =>
      ok(helm, ['get', 'manifest', 'mixed', '-n', namespace, '--revision', String(revision)]),
    ),
  );
  const keys = live.flatMap(({ metadata }) => Object.keys(metadata.annotations ?? {}));
  return [...keys, ...(stored.join('').match(/\S+(?=:)/g) ?? [])].filter((key) => /^["']?helm\.sh\/.*\//.test(key));
}

afterEach(async () => {
  await tshelm.run(['uninstall', 'mixed', ...inNamespace, '--ignore-not-found', '--wait']);
});

describe.each([helm, helm3])('what was released in order, in the hands of $name', (program) => {
  describe.each(tables)('$title', (table) => {
    const name = table.title.replaceAll(/\W+/g, '-').toLowerCase();
    const chart = writeChart(join(directory, program.name), name, table.files);
    const backwards = table.batches.toReversed();
    const count = table.batches.flat().length;

    const installed = (): Promise<string> => ok(tshelm, ['install', 'mixed', chart, ...byTshelm, ...values('1')]);
    const upgradedByHelm = async (tag: string): Promise<string> =>
      ok(program, ['upgrade', 'mixed', await legalChart(chart, join(program.name, name, tag), table, tag), ...byHelm]);
    const uninstalledBy = async (by: Program): Promise<readonly (readonly string[])[]> => {
      const uninstall = (): Promise<string> => ok(by, ['uninstall', 'mixed', ...inNamespace]);
      return inBatches(await deletedDuring(admin, uninstall, count), backwards);
    };

    test('upgraded and rolled back, it is still uninstalled in order', async () => {
      await installed();
      await upgradedByHelm('2');
      expect(await podLives(admin, '2')).toHaveLength(count);
      await ok(program, ['rollback', 'mixed', '1', ...byHelm]);
      expect(await illegalKeys()).toEqual([]);
      expect(await uninstalledBy(tshelm)).toEqual(backwards);
      expect(await admin.records('mixed')).toEqual([]);
    });

    test('upgraded, it is upgraded in order again, and once more by Helm still uninstalled in order', async () => {
      await installed();
      await upgradedByHelm('2');
      await ok(tshelm, ['upgrade', 'mixed', chart, ...byTshelm, ...values('3', '2s')]);
      expect(batchesOf(await podLives(admin, '3'))).toEqual(table.batches);
      await upgradedByHelm('4');
      expect(await illegalKeys()).toEqual([]);
      expect(await uninstalledBy(tshelm)).toEqual(backwards);
    });

    test('it is uninstalled whole', async () => {
      await installed();
      expect((await uninstalledBy(program)).flat().sort()).toEqual(table.batches.flat().sort());
      expect(await admin.records('mixed')).toEqual([]);
    });
  });
});
