import { type FieldPath, valueAtPath } from '../../manifest/field-path.ts';
import { type Item, podPathOf } from '../derived/object-index.ts';
import type { Evidence } from './types.ts';

/**
 * Databases come before what migrates them, and migrations before the servers that run the same image. Of several
 * databases only those count whose hosts a migration names.
 */
export function roleEvidence(workloads: readonly Item[], hosts: readonly Evidence[]): readonly Evidence[] {
  const migrations = workloads.filter(isMigration);
  const databases = workloads.filter((one) => imagesOf(one).some(({ image }) => isDatabase(image)));
  const unnamed = migrations.filter(
    (job) => !hosts.some(({ user, needed }) => user === job && databases.includes(needed)),
  );
  const [only, ...others] = databases;
  const migrated =
    only === undefined || others.length > 0
      ? []
      : unnamed.map((job) => byRole(job, only, { text: 'migrates the only database of the release', path: [] }));
  const served = migrations.flatMap((job) => {
    // What migrates with a client of the database runs the image of that.
    const images = new Set(imagesOf(job).flatMap(({ image }) => (isDatabase(image) ? [] : [repositoryOf(image)])));
    return workloads
      .filter((server) => !migrations.includes(server) && server.id.kind !== 'Job')
      .flatMap((server) => {
        const shared = imagesOf(server).find(({ image }) => images.has(repositoryOf(image)));
        return shared === undefined
          ? []
          : [byRole(server, job, { text: 'runs the image of its migration', path: shared.path })];
      });
  });
  return [...migrated, ...served];
}

const byRole = (user: Item, needed: Item, { text, path }: Pick<Evidence, 'text' | 'path'>): Evidence => ({
  user,
  needed,
  holder: user,
  path,
  word: '',
  text,
  isWaitedFor: false,
});

/** A Job whose name, or what it runs, says that it migrates. */
function isMigration(workload: Item): boolean {
  if (workload.id.kind !== 'Job') return false;
  const containers = valueAtPath(workload.object, [...podPathOf(workload), 'containers']);
  const run = Array.isArray(containers)
    ? containers.flatMap((one) => [valueAtPath(one, ['command']), valueAtPath(one, ['args'])].flat())
    : [];
  return [workload.id.name, ...run].some((text) => typeof text === 'string' && text.toLowerCase().includes('migrat'));
}

interface UsedImage {
  readonly image: string;
  readonly path: FieldPath;
}

function imagesOf(workload: Item): readonly UsedImage[] {
  const containers = [...podPathOf(workload), 'containers'];
  const list = valueAtPath(workload.object, containers);
  if (!Array.isArray(list)) return [];
  return list.flatMap((_one, index) => {
    const path = [...containers, index, 'image'];
    const image = valueAtPath(workload.object, path);
    return typeof image === 'string' ? [{ image, path }] : [];
  });
}

/** Without tag and digest: `ghcr.io/acme/web`. */
function repositoryOf(image: string): string {
  const [name = ''] = image.split('@');
  const colon = name.lastIndexOf(':');
  return colon > name.lastIndexOf('/') ? name.slice(0, colon) : name;
}

const isDatabase = (image: string): boolean => databaseImages.has(repositoryOf(image).split('/').at(-1) ?? '');

const databaseImages = new Set([
  'cockroach',
  'couchdb',
  'mariadb',
  'mariadb-galera',
  'mongo',
  'mongodb',
  'mysql',
  'percona-xtradb-cluster',
  'postgis',
  'postgres',
  'postgresql',
  'postgresql-repmgr',
  'timescaledb',
]);
