import { ignoreNotices, type Notify, warn } from '../../chart/notice.ts';
import { type FieldType, type StructType, structFromJson, structFromYaml } from '../../chart/struct-decoder.ts';
import { readBytes } from '../../go/files.ts';
import { readJson } from '../../go/json/json.ts';
import { compareVersions, looseVersion, parseVersion, type Version } from '../../go/semver.ts';
import { decodeText } from '../../go/text.ts';
import { GoError, type GoMap, type Value } from '../../go/value.ts';
import { messageOf } from '../../support/errors.ts';
import { readTypedYaml } from '../../yaml/index.ts';
import { type IndexEntry, type RawIndexEntry, rawEntry, validEntry } from './index-entry.ts';
import { type IndexLayout, layoutOf, type Stretch } from './index-layout.ts';
import { plainText, plainTexts, versionPattern, type WrittenVersion } from './index-pattern.ts';

/** A version of a chart in an index. What is seldom wanted is read when it is wanted. */
export interface IndexVersion {
  readonly name: string;
  readonly version: string;
  /** The version, read. */
  readonly semver: Version;
  readonly appVersion: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly entry: IndexEntry;
}

/** An index of charts. Go: repo.IndexFile. */
export interface RepositoryIndex {
  readonly apiVersion: string;
  readonly generated: string;
  readonly publicKeys: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
  /** The names of the charts, in the order of the file. */
  readonly names: readonly string[];
  /** A chart's versions, the newest first; undefined for a chart that the index does not name. */
  versions(name: string): readonly IndexVersion[] | undefined;
  /** The charts of which a version may have this text (the name of a file): all of those, and perhaps others. */
  namesMentioning(text: string): readonly string[];
}

export interface IndexOptions {
  /** What the index is called in messages: a path or a URL. */
  readonly source: string;
  /** Gets what Helm logs of versions that are passed over. */
  readonly onNotice?: Notify | undefined;
}

/**
 * The index in a file. Throws GoError in Helm's words: `open /x: no such file or directory`, `error loading /x: …`.
 * Go: repo.LoadIndexFile.
 */
export function readIndexFile(path: string, onNotice: Notify = ignoreNotices): RepositoryIndex {
  const bytes = readBytes(path);
  try {
    return readIndex(bytes, { source: path, onNotice });
  } catch (cause) {
    if (cause instanceof GoError) throw new GoError(`error loading ${path}: ${cause.message}`, { cause });
    throw cause;
  }
}

/**
 * An index as YAML or JSON. Versions that Helm would not take are left out, with a notice. Throws GoError for a text
 * that is no index. Go: repo.loadIndex.
 */
export function readIndex(bytes: Uint8Array, options: IndexOptions): RepositoryIndex {
  if (bytes.length === 0) throw new GoError('empty index.yaml file');
  const text = decodeText(bytes);
  const layout = layoutOf(text);
  if (layout === undefined) return readWhole(text, options);
  try {
    return new LazyIndex(text, layout, options);
  } catch (cause) {
    if (cause instanceof GoError) return readWhole(text, options);
    throw cause;
  }
}

const text: FieldType = { kind: 'string' };
const headType: StructType = {
  kind: 'struct',
  goType: 'v1.IndexFile',
  fields: {
    serverInfo: { name: 'serverInfo', type: { kind: 'any' } },
    apiVersion: { name: 'apiVersion', type: text },
    generated: { name: 'generated', type: { kind: 'time' } },
    publicKeys: { name: 'publicKeys', type: { kind: 'list', of: text, goType: '[]string' } },
    annotations: { name: 'annotations', type: { kind: 'string-map' } },
  },
};

type Head = Pick<RepositoryIndex, 'apiVersion' | 'generated' | 'publicKeys' | 'annotations'>;

function headOf(read: object | undefined): Head {
  const head = { generated: '0001-01-01T00:00:00Z', publicKeys: [], annotations: {}, ...read } as Partial<Head>;
  if (!head.apiVersion) throw new GoError('no API version specified');
  return head as Head;
}

/** Reads everything at once. */
function readWhole(yaml: string, options: IndexOptions): RepositoryIndex {
  const { value, format } = parseEither(yaml);
  if (!(value instanceof Map)) throw new GoError(value === null ? 'no API version specified' : wrongKind(value));
  const { entries, ...head } = splitEntries(value);
  const isStrict = format === 'yaml';
  const read = isStrict ? structFromYaml(head.rest, headType, { strict: true }) : structFromJson(head.rest, headType);
  const charts = new Map(
    [...entries].map(([name, list]) => [name, sorted(validVersions(name, rawEntries(list, format), options))]),
  );
  const names = [...charts.keys()];
  return { ...headOf(read), names, versions: (name) => charts.get(name), namesMentioning: () => names };
}

function splitEntries(index: GoMap): { readonly entries: GoMap; readonly rest: GoMap } {
  const entries = index.get('entries') ?? new Map();
  if (!(entries instanceof Map)) throw new GoError(wrongEntries);
  return { entries, rest: new Map([...index].filter(([key]) => key !== 'entries')) };
}

const inJson = 'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal';
const wrongEntries = `${inJson} array into Go struct field IndexFile.entries of type map[string]v1.ChartVersions`;
const wrongKind = (value: Value): string =>
  `${inJson} ${Array.isArray(value) ? 'array' : 'string'} into Go value of type v1.IndexFile`;

function parseEither(text: string): { readonly value: Value; readonly format: 'yaml' | 'json' } {
  if (/^\s*\{/.test(text)) {
    try {
      return { value: readJson(text), format: 'json' };
    } catch {
      // YAML may begin so too.
    }
  }
  return { value: readTypedYaml(text, { strict: true }), format: 'yaml' };
}

function rawEntries(list: Value, format: 'yaml' | 'json'): (RawIndexEntry | undefined)[] {
  if (list === null || list === undefined) return [];
  if (!Array.isArray(list))
    throw new GoError(`${inJson} object into Go struct field IndexFile.entries of type v1.ChartVersions`);
  return list.map((item) => rawEntry(item, format));
}

/** Last to first, as Helm looks at them. */
function validVersions(
  chart: string,
  raw: readonly (RawIndexEntry | undefined)[],
  options: IndexOptions,
): readonly IndexVersion[] {
  const valid = [...raw].reverse().map((entry) => readVersion(chart, entry, options));
  return valid.filter((version) => version !== undefined).reverse();
}

function readVersion(
  chart: string,
  raw: RawIndexEntry | undefined,
  { source, onNotice = ignoreNotices }: IndexOptions,
): IndexVersion | undefined {
  if (raw === undefined) {
    onNotice(warn('skipping loading invalid entry for chart: empty entry', { name: chart, source }));
    return undefined;
  }
  try {
    return wholeVersion(validEntry(raw));
  } catch (cause) {
    if (!(cause instanceof GoError)) throw cause;
    const attributes = { name: chart, version: raw.version ?? '', source, error: messageOf(cause) };
    onNotice(warn('skipping loading invalid entry for chart', attributes));
    return undefined;
  }
}

const wholeVersion = (entry: IndexEntry): IndexVersion => ({
  name: entry.metadata.name,
  version: entry.metadata.version,
  appVersion: entry.metadata.appVersion ?? '',
  description: entry.metadata.description ?? '',
  keywords: entry.metadata.keywords ?? [],
  semver: parseVersion(entry.metadata.version),
  entry,
});

/** By version, the newest first. */
const sorted = (versions: readonly IndexVersion[]): readonly IndexVersion[] =>
  [...versions].sort((a, b) => compareVersions(b.semver, a.semver));

/** Reads a chart's versions when they are asked for, and of those no more than what is. */
class LazyIndex implements RepositoryIndex {
  readonly apiVersion: string;
  readonly generated: string;
  readonly publicKeys: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly names: readonly string[];
  private readonly text: string;
  private readonly layout: IndexLayout;
  private readonly options: IndexOptions;
  private readonly recognize: ReturnType<typeof versionPattern>;
  private readonly known = new Map<string, readonly IndexVersion[]>();
  /** Where a stretch turns out to be none: what reading everything gives. */
  private whole: RepositoryIndex | undefined;

  constructor(text: string, layout: IndexLayout, options: IndexOptions) {
    const head = headOf(structFromYaml(readTypedYaml(layout.head, { strict: true }), headType, { strict: true }));
    this.apiVersion = head.apiVersion;
    this.generated = head.generated;
    this.publicKeys = head.publicKeys;
    this.annotations = head.annotations;
    this.names = [...layout.charts.keys()];
    this.text = text;
    this.layout = layout;
    this.options = options;
    this.recognize = versionPattern(layout.itemColumn);
  }

  versions(name: string): readonly IndexVersion[] | undefined {
    if (this.whole !== undefined) return this.whole.versions(name);
    const known = this.known.get(name);
    const stretches = this.layout.charts.get(name);
    if (known !== undefined || stretches === undefined) return known;
    try {
      const versions = sorted(this.readVersions(name, stretches));
      this.known.set(name, versions);
      return versions;
    } catch (cause) {
      if (!(cause instanceof GoError)) throw cause;
      this.whole = readWhole(this.text, this.options);
      return this.whole.versions(name);
    }
  }

  namesMentioning(text: string): readonly string[] {
    const mentions = ({ start, end }: Stretch): boolean => this.text.slice(start, end).includes(text);
    return this.text.includes(text) ? this.names.filter((name) => this.layout.charts.get(name)?.some(mentions)) : [];
  }

  private readVersions(name: string, stretches: readonly Stretch[]): readonly IndexVersion[] {
    const versions = [...stretches].reverse().map(({ start, end }) => {
      const written = this.recognize(this.text, start, end);
      const read = (): RawIndexEntry | undefined => this.readStretch(start, end);
      const semver = written === undefined ? undefined : plainlyValid(written);
      return written !== undefined && semver !== undefined
        ? new WrittenIndexVersion(written, semver, () => validEntry(read() as RawIndexEntry))
        : readVersion(name, read(), this.options);
    });
    return versions.filter((version) => version !== undefined).reverse();
  }

  /** Moved to the left edge, where the YAML reader is fastest. */
  private readStretch(start: number, end: number): RawIndexEntry | undefined {
    const margin = ' '.repeat(this.layout.itemColumn);
    const moved = this.text.slice(start + margin.length, end).replaceAll(`\n${margin}`, '\n');
    const value = readTypedYaml(moved, { strict: true });
    if (!Array.isArray(value) || value.length !== 1) throw new GoError('an index that is laid out in another way');
    return rawEntry(value[0], 'yaml');
  }
}

/** The version of one that Helm surely takes: its name has nothing that is looked at twice. */
function plainlyValid({ name, version }: WrittenVersion): Version | undefined {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/.test(name)) return undefined;
  return looseVersion(version);
}

/** A version whose fields are taken from the text, one by one. */
class WrittenIndexVersion implements IndexVersion {
  readonly name: string;
  readonly version: string;
  readonly semver: Version;
  private readonly raw: WrittenVersion['raw'];
  private readonly read: () => IndexEntry;
  private known: IndexEntry | undefined;

  constructor({ name, version, raw }: WrittenVersion, semver: Version, read: () => IndexEntry) {
    this.name = name;
    this.version = version;
    this.semver = semver;
    this.raw = raw;
    this.read = read;
  }

  get entry(): IndexEntry {
    this.known ??= this.read();
    return this.known;
  }

  get appVersion(): string {
    return this.textOf('appVersion');
  }

  get description(): string {
    return this.textOf('description');
  }

  get keywords(): readonly string[] {
    const { keywords } = this.raw;
    if (keywords === undefined) return [];
    return plainTexts(keywords) ?? this.entry.metadata.keywords ?? [];
  }

  private textOf(name: 'appVersion' | 'description'): string {
    const raw = this.raw[name];
    if (raw === undefined) return '';
    const text = printableAscii.test(raw) ? plainText(raw) : undefined;
    return text ?? this.entry.metadata[name] ?? '';
  }
}

// Others may be spaces or characters that Helm takes out.
const printableAscii = /^[\n\x20-\x7e]*$/;
