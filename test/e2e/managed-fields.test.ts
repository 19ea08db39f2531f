import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasObject, parseManifests } from '../../src/manifest/parse.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { configMap, documents, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, ok, type Program, tshelm } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('managed-fields');
const { namespace } = admin;

// Public charts, where somebody has put their archives; the chart made here is always tried.
const archives = process.env['TSHELM_E2E_CHARTS'] ?? '../shared/charts/archives';
const archive = (name: string): string | undefined => {
  const file = existsSync(archives) ? readdirSync(archives).find((each) => each.startsWith(`${name}-`)) : undefined;
  if (file === undefined) console.log(`managed fields of ${name} are not compared: no archive of it in ${archives}`);
  return file === undefined ? undefined : join(archives, file);
};
const own = writeChart(directory, 'own', {
  'templates/all.yaml': documents(
    workload('Deployment', 'web'),
    workload('StatefulSet', 'db'),
    configMap('main', 'x'),
    'apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}-web\nspec:\n  selector: {app: web}\n  ports: [{port: 80, name: http}, {port: 443, name: https}]\n',
  ),
});
const charts = [
  { name: 'own', path: own },
  ...['podinfo', 'traefik', 'cert-manager'].flatMap((name) => {
    const path = archive(name);
    return path === undefined ? [] : [{ name, path }];
  }),
];

/** Who owns which fields of each object, without times and without what controllers write. */
async function owners(release: string): Promise<Record<string, unknown>> {
  const manifest = await ok(helm, ['get', 'manifest', release, '-n', namespace]);
  const found: Record<string, unknown> = {};
  for (const { object } of parseManifests(manifest).filter(hasObject)) {
    const { apiVersion, kind, metadata } = object;
    const id = { apiVersion, kind, namespace: metadata.namespace ?? namespace, name: metadata.name };
    const live = await admin.cluster().get(id);
    found[`${kind}/${metadata.name}`] = fieldsByManager(live);
  }
  return found;
}

interface ManagedFields {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly apiVersion: string;
  readonly fieldsV1: unknown;
}

const fieldsByManager = (object: KubernetesObject | undefined): unknown =>
  ((object?.metadata.managedFields ?? []) as ManagedFields[])
    .filter(({ manager }) => manager === 'helm' || manager === 'tshelm' || manager === 'node')
    .map(({ manager, operation, subresource, apiVersion, fieldsV1 }) => ({
      manager,
      operation,
      subresource,
      apiVersion,
      fieldsV1,
    }));

describe.each(charts)('$name', ({ name, path }) => {
  const release = `same-${name}`;
  const deployed = async (program: Program, serverSide: string): Promise<Record<string, unknown>> => {
    const words = ['-n', namespace, `--server-side=${serverSide}`, '--no-hooks'];
    await ok(program, ['install', release, path, ...words]);
    await ok(program, ['upgrade', release, path, ...words, '--description', 'again']);
    const found = await owners(release);
    await ok(helm, ['uninstall', release, '-n', namespace, '--no-hooks', '--wait', '--timeout', '60s']);
    return found;
  };

  test.each(['true', 'false'])('has the same managers, operations and fields, --server-side=%s', async (serverSide) => {
    const ours = await deployed(tshelm, serverSide);
    const theirs = await deployed(helm, serverSide);
    expect(Object.keys(ours).length).toBeGreaterThan(0);
    expect(ours).toEqual(theirs);
  });
});
