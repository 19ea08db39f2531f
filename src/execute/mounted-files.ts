import { listOf } from '../manifest/fields.ts';
import { isAlike } from '../support/near.ts';
import { podSpecOf } from './faulty-fields.ts';
import type { PlanObject } from './plan-objects.ts';

const maxNamed = 3;

interface Mount {
  readonly name?: string;
  readonly mountPath?: string;
}

interface Volume {
  readonly name?: string;
  readonly configMap?: { readonly name?: string; readonly items?: readonly { readonly path?: string }[] };
  readonly secret?: { readonly secretName?: string; readonly items?: readonly { readonly path?: string }[] };
}

/** What is mounted there where a program misses a file: the keys of a ConfigMap or Secret of the release, those like it first. */
export function mountedInstead(
  log: readonly string[],
  one: PlanObject,
  objects: readonly PlanObject[],
): readonly string[] {
  const spec = podSpecOf(one.object);
  if (spec === undefined) return [];
  const mounts = [...listOf(spec.initContainers), ...listOf(spec.containers)].flatMap((container) =>
    listOf(container['volumeMounts'] as readonly Mount[]),
  );
  const volumes = listOf(spec['volumes'] as readonly Volume[]);
  const hints = missingFiles(log).flatMap((file) => {
    const mount = mounts.find(({ mountPath = '' }) => mountPath !== '' && file.startsWith(`${mountPath}/`));
    const volume = volumes.find(({ name }) => name !== undefined && name === mount?.name);
    return mount === undefined || volume === undefined ? [] : keysInstead(file, mount, volume, objects);
  });
  return [...new Set(hints)];
}

const complaint = /no such file|ENOENT|FileNotFound|file not found|cannot find the file|NoSuchFile/i;

const missingFiles = (log: readonly string[]): readonly string[] =>
  log
    .filter((line) => complaint.test(line))
    .flatMap((line) => [...line.matchAll(/(?<![\w./])\/[\w.@/-]*\w/g)].map(([path]) => path));

function keysInstead(
  file: string,
  { mountPath = '' }: Mount,
  { configMap, secret }: Volume,
  objects: readonly PlanObject[],
): readonly string[] {
  const kind = configMap === undefined ? 'Secret' : 'ConfigMap';
  const name = configMap?.name ?? secret?.secretName;
  const holder = objects.find(({ object }) => object.kind === kind && object.metadata.name === name)?.object;
  if (holder === undefined) return [];
  const { data, binaryData, stringData } = holder as Readonly<Record<string, object | null | undefined>>;
  const items = (configMap ?? secret)?.items?.flatMap(({ path }) => path ?? []);
  const keys = items ?? [data, binaryData, stringData].flatMap((map) => Object.keys(map ?? {}));
  const wanted = file.slice(mountPath.length + 1);
  if (keys.length === 0 || keys.includes(wanted)) return [];
  const near = keys.filter((key) => isAlike(key, wanted));
  const named = (near.length > 0 ? near : keys).slice(0, maxNamed).join(', ');
  return [`${kind}/${name}, mounted at ${mountPath}, has ${named}${near.length > 0 ? ': did you mean it?' : ''}`];
}
