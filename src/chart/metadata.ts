import { isSpace } from '../go/runes.ts';
import { looseVersion } from '../go/semver.ts';
import { isPrint, quote } from '../go/strconv/strconv.ts';
import { GoError, type Value } from '../go/value.ts';
import {
  type FieldType,
  readStruct,
  type Struct,
  type StructOptions,
  type StructType,
  structFromJson,
} from './struct-decoder.ts';
import type { ChartLock, ChartMetadata, Dependency, Maintainer } from './types.ts';

const text: FieldType = { kind: 'string' };
const texts: FieldType = { kind: 'list', of: text, goType: '[]string' };
const named = (name: string, type: FieldType = text): { name: string; type: FieldType } => ({ name, type });

const maintainerType: StructType = {
  kind: 'struct',
  goType: 'v2.Maintainer',
  fields: { name: named('name'), email: named('email'), url: named('url') },
};

const dependencyType: StructType = {
  kind: 'struct',
  goType: 'v2.Dependency',
  fields: {
    name: named('name'),
    version: named('version'),
    repository: named('repository'),
    condition: named('condition'),
    tags: named('tags', texts),
    enabled: named('enabled', { kind: 'bool' }),
    'import-values': named('importValues', { kind: 'list', of: { kind: 'any' }, goType: '[]interface {}' }),
    alias: named('alias'),
    'depends-on': named('dependsOn', { kind: 'names' }),
  },
};

const dependencies: FieldType = { kind: 'list', of: dependencyType, goType: '[]*v2.Dependency' };

/** Chart.yaml's fields: Helm's chart.Metadata and, beside them, those of tshelm. */
export const metadataType: StructType = {
  kind: 'struct',
  goType: 'v2.Metadata',
  fields: {
    name: named('name'),
    home: named('home'),
    sources: named('sources', texts),
    version: named('version'),
    description: named('description'),
    keywords: named('keywords', texts),
    maintainers: named('maintainers', { kind: 'list', of: maintainerType, goType: '[]*v2.Maintainer' }),
    icon: named('icon'),
    apiVersion: named('apiVersion'),
    condition: named('condition'),
    tags: named('tags'),
    appVersion: named('appVersion'),
    deprecated: named('deprecated', { kind: 'bool' }),
    annotations: named('annotations', { kind: 'string-map', listKeys: ['helm.sh/depends-on/subcharts'] }),
    kubeVersion: named('kubeVersion'),
    dependencies: named('dependencies', dependencies),
    type: named('type'),
    runHooksInParallel: named('runHooksInParallel'),
  },
};

const lockType: StructType = {
  kind: 'struct',
  goType: 'v2.Lock',
  fields: {
    generated: named('generated', { kind: 'time' }),
    digest: named('digest'),
    dependencies: named('dependencies', dependencies),
  },
};

/** Only apiVersion, which says how the rest is read. */
const chartBaseType: StructType = {
  kind: 'struct',
  goType: 'loader.chartBase',
  fields: { apiVersion: named('apiVersion') },
};

/** Chart.yaml as it is: not validated, and with what it lacks absent. */
export type RawMetadata = Partial<Omit<ChartMetadata, 'maintainers' | 'dependencies'>> & {
  readonly maintainers?: readonly (Maintainer | null)[] | undefined;
  readonly dependencies?: readonly (Partial<Dependency> | null)[] | undefined;
};

/** The fields of a Chart.yaml or a requirements.yaml. Throws YamlError or GoError with Go's message. */
export const readRawMetadata = (yaml: string, options: StructOptions = {}): RawMetadata =>
  readStruct(yaml, metadataType, options) ?? {};

export const readApiVersion = (yaml: string): string => {
  const { apiVersion = '' } = (readStruct(yaml, chartBaseType) ?? {}) as Pick<RawMetadata, 'apiVersion'>;
  return apiVersion;
};

/** Chart.lock or requirements.lock; undefined for an empty one. */
export function readLock(yaml: string): ChartLock | undefined {
  const lock = readStruct(yaml, lockType);
  return lock && lockOf(lock);
}

function lockOf(lock: Partial<ChartLock>): ChartLock {
  const { generated = '0001-01-01T00:00:00Z', digest = '', dependencies: locked = [] } = lock;
  return { generated, digest, dependencies: locked.filter((dependency) => dependency !== null) };
}

/** The metadata and the lock of a chart in a record, not validated. */
export const recordedMetadata = (json: Value): ChartMetadata => ({
  name: '',
  version: '',
  apiVersion: '',
  ...structFromJson(json, metadataType),
});
export const recordedLock = (json: Value): ChartLock => lockOf(structFromJson(json, lockType) ?? {});

/**
 * Chart.yaml with control characters removed from its texts, once all that Helm demands is there.
 * Go: Metadata.Validate. Throws GoError: `validation: chart.metadata.version is required`, ….
 */
export function validateMetadata(raw: RawMetadata): ChartMetadata {
  const metadata = {
    ...raw,
    ...sanitized(raw, ['name', 'description', 'home', 'icon', 'condition', 'tags', 'appVersion', 'kubeVersion']),
    ...(raw.sources && { sources: raw.sources.map(sanitize) }),
    ...(raw.keywords && { keywords: raw.keywords.map(sanitize) }),
  };
  const { name = '', version = '', apiVersion = '', type = '', maintainers, dependencies: listed, ...rest } = metadata;
  if (apiVersion === '') throw invalid('chart.metadata.apiVersion is required');
  checkName(name);
  if (version === '') throw invalid('chart.metadata.version is required');
  if (looseVersion(version) === undefined) throw invalid(`chart.metadata.version ${quote(version)} is invalid`);
  if (!['', 'application', 'library'].includes(type))
    throw invalid('chart.metadata.type must be application or library');
  return {
    ...rest,
    name,
    version,
    apiVersion,
    ...(type !== '' && { type }),
    ...(maintainers && { maintainers: maintainers.map(validMaintainer) }),
    ...(listed && { dependencies: validDependencies(listed) }),
    ...(rest.runHooksInParallel !== undefined && { runHooksInParallel: validHookSetting(rest.runHooksInParallel) }),
  };
}

function checkName(name: string): void {
  if (name === '') throw invalid('chart.metadata.name is required');
  if (name === '.' || name === '..') throw invalid(`chart.metadata.name ${quote(name)} is not allowed`);
  if (name.includes('/') && name !== '/') throw invalid(`chart.metadata.name ${quote(name)} is invalid`);
}

function validMaintainer(maintainer: Maintainer | null): Maintainer {
  if (maintainer === null) throw invalid('maintainers must not contain empty or null nodes');
  return { ...maintainer, ...sanitized(maintainer, ['name', 'email', 'url']) };
}

function validDependencies(listed: readonly (Partial<Dependency> | null)[]): Dependency[] {
  const keys = new Set<string>();
  return listed.map((entry) => {
    const dependency = validDependency(entry);
    const key = dependency.alias || dependency.name;
    if (keys.has(key)) throw new RepeatedDependency(key);
    keys.add(key);
    return dependency;
  });
}

function validDependency(dependency: Partial<Dependency> | null): Dependency {
  if (dependency === null) throw invalid('dependencies must not contain empty or null nodes');
  const { name = '', alias = '', tags } = dependency;
  if (alias !== '' && !/^[a-zA-Z0-9_-]+$/.test(alias))
    throw invalid(`dependency ${quote(sanitize(name))} has disallowed characters in the alias`);
  return {
    ...dependency,
    ...sanitized(dependency, ['version', 'repository', 'condition']),
    name: sanitize(name),
    ...(tags && { tags: tags.map(sanitize) }),
  };
}

function validHookSetting(setting: string): NonNullable<ChartMetadata['runHooksInParallel']> {
  if (setting === 'false' || setting === 'otherChartsOnly' || setting === 'true') return setting;
  throw invalid(`runHooksInParallel must be false, otherChartsOnly or true, not ${quote(setting)}`);
}

function sanitized<K extends string>(struct: object, names: readonly K[]): { [name in K]?: string } {
  const clean: Partial<Record<K, string>> = {};
  for (const name of names) {
    const value = (struct as Struct)[name];
    if (typeof value === 'string') clean[name] = sanitize(value);
  }
  return clean;
}

/** Every kind of space as a blank, and nothing that cannot be printed. */
function sanitize(value: string): string {
  return Array.from(value, (rune) => (isSpace(rune) ? ' ' : isPrint(rune.codePointAt(0) as number) ? rune : '')).join(
    '',
  );
}

const invalid = (message: string): GoError => new GoError(`validation: ${message}`);

/** Two dependencies of one name, which Helm passes over in an index. */
export class RepeatedDependency extends GoError {
  constructor(key: string) {
    super(`validation: more than one dependency with name or alias ${quote(key)}`);
  }
}
