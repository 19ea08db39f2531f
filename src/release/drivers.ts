import type { Cluster } from '../cluster/types.ts';
import { TshelmError } from '../support/errors.ts';
import { orList } from '../support/text.ts';
import type { RecordKind } from './record.ts';
import type { StorageOptions } from './storage-options.ts';
import type { ReleaseStorage } from './types.ts';

/** One way to keep releases. */
export interface StorageDriver {
  /** As $HELM_DRIVER names it beside its key in the table. */
  readonly otherNames: readonly string[];
  /** Whether other runs see the releases: such a release needs a lock, and can be upgraded later. */
  readonly isShared: boolean;
  /** The objects of the cluster that hold the releases, where some do. */
  readonly recordKind?: RecordKind;
  readonly open: (cluster: Cluster, options: StorageOptions) => Promise<ReleaseStorage>;
}

/** Every driver by its name. Each loads its code when it is opened: most commands need one, some none. */
export const drivers = {
  secret: {
    otherNames: ['', 'secrets'],
    isShared: true,
    recordKind: 'Secret',
    open: async (cluster, options) =>
      (await import('./kubernetes-storage.ts')).kubernetesStorage('Secret', cluster, options),
  },
  configmap: {
    otherNames: ['configmaps'],
    isShared: true,
    recordKind: 'ConfigMap',
    open: async (cluster, options) =>
      (await import('./kubernetes-storage.ts')).kubernetesStorage('ConfigMap', cluster, options),
  },
  memory: {
    otherNames: [],
    isShared: false,
    open: async (_cluster, options) => (await import('./memory-storage.ts')).openMemoryStorage(options),
  },
} as const satisfies Readonly<Record<string, StorageDriver>>;

type Drivers = typeof drivers;
/** The drivers whose releases outlive the process. */
export type SharedDriver = {
  [Name in keyof Drivers]: Drivers[Name]['isShared'] extends true ? Name : never;
}[keyof Drivers];

const all: readonly (readonly [string, StorageDriver])[] = Object.entries(drivers);
export const sharedDrivers = all.filter(([, { isShared }]) => isShared).map(([name]) => name);

/** Errors: `unknown-driver`, before anything is asked. */
export const driverNamed = (name: string): StorageDriver => rowOf(name)[1];

/** The driver as the library names it; undefined of one whose releases end with the process. Errors: `unknown-driver`. */
export function sharedDriverOf(name: string): SharedDriver | undefined {
  const [own, { isShared }] = rowOf(name);
  return isShared ? (own as SharedDriver) : undefined;
}

function rowOf(name: string): (typeof all)[number] {
  const found = all.find(([own, { otherNames }]) => own === name || otherNames.includes(name));
  if (found !== undefined) return found;
  const message =
    name === 'sql'
      ? 'HELM_DRIVER=sql is not supported: tshelm keeps releases in Secrets or ConfigMaps of the cluster, not in a database; use helm for releases in a database'
      : `unknown driver "${name}"; set HELM_DRIVER to ${orList(Object.keys(drivers))}`;
  throw new TshelmError('unknown-driver', { message, details: { driver: name } });
}

/** The objects of the cluster that hold the releases of a driver; undefined where none do. Errors: `unknown-driver`. */
export const recordKindOf = (name: string): RecordKind | undefined => driverNamed(name).recordKind;

/**
 * Refuses a $HELM_DRIVER that Helm does not know, as Helm does for every command. Helm knows `sql`, so a command that needs
 * no releases works with it. Errors: `unknown-driver`.
 */
export function checkDriverName(name: string): void {
  if (name !== 'sql') driverNamed(name);
}
