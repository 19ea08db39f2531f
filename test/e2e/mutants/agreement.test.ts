import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connect } from '../../../src/cluster/connect.ts';
import { parseManifest } from '../../../src/manifest/parse.ts';
import { splitDocuments } from '../../../src/manifest/split.ts';
import { namespaceObject } from '../support/namespaces.ts';
import { casesOf, readChartFiles, valuesOf } from './chart-sources.ts';
import { type Judged, judgedObjects, namespace } from './judge.ts';

// Charts as they are, with policies: what the API server accepts of them in a dry run is no error of `check`. By hand:
// MUTANTS_CASES=FILE as for the mutants; MUTANTS_REPORT=FILE keeps each object of which the two say different things.
const report = process.env['MUTANTS_REPORT'];
const policies = splitDocuments(readFileSync('test/e2e/mutants/policies.yaml', 'utf8')).map((document) =>
  parseManifest(document, 'policies.yaml'),
);

beforeAll(async () => {
  const cluster = await connect();
  await cluster.apply(namespaceObject(namespace));
  for (const { object } of policies) await cluster.apply(object);
  const metadata = { name: 'probe', namespace, annotations: { [`${'long'.repeat(15)}`]: '' } };
  const probe = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  // A policy counts a moment after it is stored.
  await vi.waitFor(() => expect(cluster.create(probe, { dryRun: true })).rejects.toThrow(), 30_000);
});
afterAll(async () => {
  const cluster = await connect();
  for (const { object } of [...policies].reverse())
    await cluster.delete({
      apiVersion: object.apiVersion,
      kind: object.kind,
      namespace: '',
      name: object.metadata.name,
    });
});

test(
  'of objects that the API server accepts `check` calls none an error',
  async () => {
    const all: Judged[] = [];
    for (const one of casesOf(process.env['MUTANTS_CASES'])) {
      const objects = await judgedObjects(readChartFiles(one.chart).chart, valuesOf(one), { policies });
      all.push(...objects);
      for (const judged of objects.filter(isUnlike)) keep(one.id, judged);
    }
    const refused = all.filter((judged) => judged.refused !== undefined);
    console.log(`${all.length} objects, ${refused.length} refused, ${refused.filter(isUnlike).length} missed`);
    expect(all.filter((judged) => judged.refused === undefined && isUnlike(judged)).map(({ id }) => id)).toEqual([]);
    expect(refused.filter(isUnlike).map(({ id }) => id)).toEqual([]);
  },
  120 * 60_000,
);

const isUnlike = ({ refused, errors }: Judged): boolean => (refused !== undefined) !== errors.length > 0;

function keep(chart: string, { id, refused, errors }: Judged): void {
  if (report !== undefined) appendFileSync(report, `${JSON.stringify({ chart, id, refused, errors })}\n`);
}
