import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { withPathErrors } from '../../go/path-error.ts';
import { compareVersions, parseVersion } from '../../go/semver.ts';
import { decodeText } from '../../go/text.ts';
import { GoInt, type Value } from '../../go/value.ts';
import { pairsOf, readYamlNode, withoutAlias, YamlError, type YamlNode } from '../../yaml/index.ts';
import type { Assertion } from '../assertions/assertion.ts';
import { readAssertion } from '../assertions/read.ts';
import { splitDocuments } from '../documents/documents.ts';
import {
  anyMap,
  anything,
  type FieldReader,
  integer,
  isNull,
  listOf,
  readStruct,
  SuiteError,
  text,
  texts,
  truth,
  wrongType,
} from './fields.ts';
import { readSelector } from './selector.ts';
import type {
  CapabilitySettings,
  ChartSettings,
  FakeCluster,
  FakeKind,
  PostRendererSettings,
  ReleaseSettings,
  Suite,
  TestJob,
} from './types.ts';

/** The helm-unittest whose suites are understood: `skip.minimumVersion` is compared with it. */
export const helmUnittestVersion = '1.1.2';

export interface ReadSuiteOptions {
  /** Relative to the folder in which the command runs. */
  readonly file: string;
  readonly chartRoute: string;
  /** Whether unknown fields are refused (`--strict`). */
  readonly isStrict: boolean;
  /** Values files of the command line, for every test. */
  readonly valuesFiles: readonly string[];
}

/** The suites of a file: one in each YAML document. Throws GoError, with the line where the YAML is wrong. */
export function readSuiteFile(path: string, options: ReadSuiteOptions): Suite[] {
  const content = decodeText(withPathErrors('open', path, () => readFileSync(path)));
  return splitDocuments(content).flatMap((document) => {
    const suite = document.trim() === '' ? undefined : readSuite(document, options);
    return suite === undefined ? [] : [suite];
  });
}

/** A suite in a YAML document; undefined where the document is empty. Throws GoError. */
export function readSuite(content: string, options: ReadSuiteOptions): Suite | undefined {
  try {
    return suiteOf(readYamlNode(content), options);
  } catch (error) {
    if (!(error instanceof YamlError) || error.mistake !== 'yaml-escape') throw error;
    // A backslash before any character is taken for itself then, and neither strictness nor --values counts.
    const escaped = content.replace(/\\+/g, (run) => (run.length % 2 === 1 ? `${run}\\` : run));
    return suiteOf(readYamlNode(escaped), { ...options, isStrict: false, valuesFiles: [] });
  }
}

interface RawJob {
  readonly it: string;
  readonly values: readonly string[];
  readonly set: TestJob['set'];
  readonly template: string;
  readonly templates: readonly string[];
  readonly documentIndex: number | undefined;
  readonly documentindices: Value;
  readonly documentSelector: TestJob['documentSelector'];
  readonly release: ReleaseSettings;
  readonly chart: ChartSettings;
  readonly capabilities: ReadonlyMap<string, Value>;
  readonly asserts: readonly (Assertion | null)[];
  readonly skip: Skip;
  readonly kubernetesProvider: FakeCluster;
  readonly postRenderer: PostRendererSettings | undefined;
}

interface RawSuite {
  readonly suite: string;
  readonly values: readonly string[];
  readonly set: TestJob['set'];
  readonly templates: readonly string[];
  readonly excludeTemplates: readonly string[];
  readonly includeCrds: boolean;
  readonly release: ReleaseSettings;
  readonly chart: ChartSettings;
  readonly capabilities: CapabilitySettings;
  readonly kubernetesProvider: FakeCluster;
  readonly postRenderer: PostRendererSettings | undefined;
  readonly tests: readonly Partial<RawJob>[];
  readonly snapshotId: string;
  readonly skip: Skip;
}

interface Skip {
  readonly reason: string;
  readonly minimumVersion: string;
}

const noRelease: ReleaseSettings = { name: '', namespace: '', revision: 0, upgrade: false };
const noChart: ChartSettings = { version: '', appVersion: '' };
const noCluster: FakeCluster = { kinds: new Map(), objects: [] };
const noCapabilities: CapabilitySettings = { majorVersion: '', minorVersion: '', apiVersions: [] };

function suiteOf(node: YamlNode | undefined, options: ReadSuiteOptions): Suite | undefined {
  if (node === undefined) return undefined;
  const raw = readStruct<RawSuite>(node, suiteFields(options.isStrict), {
    type: 'unittest.TestSuite',
    isStrict: options.isStrict,
  });
  const { tests = [], skip } = raw;
  if (tests.length === 0) throw new SuiteError('no tests found');
  if (tests.some(({ asserts = [] }) => asserts.length === 0)) throw new SuiteError('no asserts found');
  const reason = tooOldFor(skip?.minimumVersion) ?? skip?.reason ?? '';
  return {
    name: raw.suite ?? '',
    file: options.file,
    chartRoute: options.chartRoute,
    values: [...(raw.values ?? []), ...options.valuesFiles],
    set: raw.set ?? new Map(),
    templates: raw.templates ?? [],
    excludeTemplates: raw.excludeTemplates ?? [],
    includeCrds: raw.includeCrds ?? false,
    postRenderer: raw.postRenderer,
    snapshotId: raw.snapshotId ?? '',
    tests: tests.map((test) => jobOf(test, raw, reason)),
  };
}

function tooOldFor(version: string | undefined): string | undefined {
  if (version === undefined || version === '') return undefined;
  if (isAtLeast(version)) return undefined;
  return `Test suite requires minimum unittest plugin version ${version}, but current version is ${helmUnittestVersion}`;
}

function isAtLeast(version: string): boolean {
  try {
    return compareVersions(parseVersion(helmUnittestVersion), parseVersion(version)) >= 0;
  } catch {
    return false;
  }
}

function jobOf(raw: Partial<RawJob>, suite: Partial<RawSuite>, suiteSkip: string): TestJob {
  const { kubernetesProvider: own = noCluster } = raw;
  const { kubernetesProvider: shared = noCluster, release = noRelease, chart = noChart } = suite;
  const ownRelease = raw.release ?? noRelease;
  return {
    name: raw.it ?? '',
    values: raw.values ?? [],
    set: raw.set ?? new Map(),
    template: raw.template ?? '',
    templates: raw.templates ?? [],
    documentIndex: raw.documentIndex,
    documentSelector: raw.documentSelector,
    release: {
      name: ownRelease.name || release.name,
      namespace: ownRelease.namespace || release.namespace,
      revision: ownRelease.revision || release.revision,
      upgrade: ownRelease.upgrade || release.upgrade,
    },
    capabilities: capabilitiesOf(raw.capabilities ?? new Map(), suite.capabilities ?? noCapabilities),
    chart: {
      version: raw.chart?.version || chart.version,
      appVersion: raw.chart?.appVersion || chart.appVersion,
    },
    cluster: {
      kinds: new Map([...own.kinds, ...shared.kinds]),
      objects: [...own.objects, ...shared.objects],
    },
    skipReason: suiteSkip || (raw.skip?.reason ?? ''),
    postRenderer: raw.postRenderer ?? suite.postRenderer,
    assertions: raw.asserts ?? [],
  };
}

/** A test without API versions has those of its suite; one that says that it has none has none. */
function capabilitiesOf(own: ReadonlyMap<string, Value>, suite: CapabilitySettings): CapabilitySettings {
  const given = own.get('apiVersions');
  const { apiVersions: shared = [] } = suite;
  const names = Array.isArray(given) ? given.filter((name) => typeof name === 'string') : [];
  return {
    majorVersion: versionPart(own.get('majorVersion')) || suite.majorVersion,
    minorVersion: versionPart(own.get('minorVersion')) || suite.minorVersion,
    apiVersions: own.has('apiVersions') && !Array.isArray(given) ? undefined : [...names, ...shared],
  };
}

function versionPart(value: Value): string {
  if (typeof value === 'string') return value;
  return value instanceof GoInt ? String(value.value) : '';
}

function suiteFields(isStrict: boolean) {
  return {
    suite: text,
    values: texts,
    set: anyMap,
    templates: texts,
    excludeTemplates: texts,
    includeCrds: truth,
    release: releaseField(isStrict),
    chart: chartField(isStrict),
    capabilities: capabilitiesField(isStrict),
    kubernetesProvider: clusterField(isStrict),
    postRenderer: postRendererField(isStrict),
    tests: listOf(jobField(isStrict), '[]*unittest.TestJob'),
    snapshotId: text,
    skip: skipField(isStrict),
  };
}

const jobField =
  (isStrict: boolean): FieldReader<Partial<RawJob>> =>
  (node) =>
    readStruct<RawJob>(
      node,
      {
        it: text,
        values: texts,
        set: anyMap,
        template: text,
        templates: texts,
        documentIndex: (index) => (isNull(index) ? undefined : integer(index)),
        documentindices: anything,
        documentSelector: (selector) => (isNull(selector) ? undefined : readSelector(selector, isStrict)),
        release: releaseField(isStrict),
        chart: chartField(isStrict),
        capabilities: anyMap,
        asserts: listOf(
          (assertion) => (isNull(assertion) ? null : readAssertion(anyMap(assertion))),
          '[]*unittest.Assertion',
        ),
        skip: skipField(isStrict),
        kubernetesProvider: clusterField(isStrict),
        postRenderer: postRendererField(isStrict),
      },
      { type: 'unittest.TestJob', isStrict },
    );

const releaseField =
  (isStrict: boolean): FieldReader<ReleaseSettings> =>
  (node) => ({
    ...noRelease,
    ...readStruct<ReleaseSettings>(
      node,
      { name: text, namespace: text, revision: integer, upgrade: truth },
      { type: 'struct', isStrict },
    ),
  });

const chartField =
  (isStrict: boolean): FieldReader<ChartSettings> =>
  (node) => ({
    ...noChart,
    ...readStruct<ChartSettings>(node, { version: text, appVersion: text }, { type: 'struct', isStrict }),
  });

const capabilitiesField =
  (isStrict: boolean): FieldReader<CapabilitySettings> =>
  (node) => ({
    ...noCapabilities,
    ...readStruct<CapabilitySettings>(
      node,
      { majorVersion: text, minorVersion: text, apiVersions: texts },
      { type: 'struct', isStrict },
    ),
  });

const skipField =
  (isStrict: boolean): FieldReader<Skip> =>
  (node) => ({
    reason: '',
    minimumVersion: '',
    ...readStruct<Skip>(node, { reason: text, minimumVersion: text }, { type: 'struct', isStrict }),
  });

const postRendererField =
  (isStrict: boolean): FieldReader<PostRendererSettings | undefined> =>
  (node) => {
    const { cmd = '', args = [] } = readStruct<PostRendererSettings>(
      node,
      { cmd: text, args: texts },
      { type: 'unittest.PostRendererConfig', isStrict },
    );
    return cmd === '' ? undefined : { cmd, args };
  };

const clusterField =
  (isStrict: boolean): FieldReader<FakeCluster> =>
  (node) => {
    const { scheme = new Map(), objects = [] } = readStruct<{
      readonly scheme: ReadonlyMap<string, FakeKind>;
      readonly objects: FakeCluster['objects'];
    }>(
      node,
      { scheme: (kinds) => kindsOf(kinds, isStrict), objects: listOf(anyMap, '[]map[string]interface {}') },
      { type: 'unittest.KubernetesFakeClientProvider', isStrict },
    );
    return { kinds: scheme, objects };
  };

function kindsOf(node: YamlNode, isStrict: boolean): ReadonlyMap<string, FakeKind> {
  const target = withoutAlias(node);
  if (isNull(target)) return new Map();
  if (target.kind !== 'mapping') throw wrongType(target, 'map[string]unittest.KubernetesFakeKindProps');
  return new Map(pairsOf(target).map(({ key, value }) => [key, kindOf(value, isStrict)]));
}

function kindOf(node: YamlNode, isStrict: boolean): FakeKind {
  const parts = { group: text, version: text, resource: text };
  const { gvr = {}, namespaced = false } = readStruct<{
    readonly gvr: { readonly group?: string; readonly version?: string; readonly resource?: string };
    readonly namespaced: boolean;
    readonly should_err: Value;
  }>(
    node,
    {
      gvr: (resource) => readStruct(resource, parts, { type: 'schema.GroupVersionResource', isStrict }),
      namespaced: truth,
      should_err: anything,
    },
    { type: 'unittest.KubernetesFakeKindProps', isStrict },
  );
  const { group = '', version = '', resource = '' } = gvr;
  return { group, version, resource, isNamespaced: namespaced };
}

/** Where the snapshots of a suite are kept: the file's name, with the suite's own id where it has one. */
export const snapshotFileOf = ({ file, snapshotId }: Suite): string => {
  const name = `${posix.basename(file)}${snapshotId === '' ? '' : `_${snapshotId}`}.snap`;
  return posix.join(posix.dirname(file), '__snapshot__', name);
};
