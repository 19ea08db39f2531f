import { coalesceValues } from '../chart/coalesce.ts';
import { processDependencies } from '../chart/dependencies.ts';
import { crdFiles } from '../chart/paths.ts';
import type { CompiledSchemas } from '../chart/schema/validate.ts';
import type { Chart, CrdFile } from '../chart/types.ts';
import { validateValues } from '../chart/validate-values.ts';
import { baseName } from '../go/path.ts';
import type { GoMap } from '../go/value.ts';
import { validateReleaseName } from '../release/name.ts';
import type { Capabilities } from '../render/capabilities.ts';
import { loadHandlebars, renderChart, traceTemplate } from '../render/engine.ts';
import { ReusedKeys } from '../render/reused-keys.ts';
import { messageOf } from '../support/errors.ts';
import { ParsedSources } from '../template/template-set.ts';
import type { RunTrace } from '../template/trace.ts';
import { readYamlMap } from '../yaml/index.ts';
import { Coverage } from './coverage.ts';
import { lookupIn } from './lookup.ts';
import { failedFile, helm3Message } from './render-failure.ts';
import type { Suite, TestJob } from './suite/types.ts';
import { templatePath, withTemplates } from './templates.ts';

/** What a chart printed for a test, or what it failed with. */
export interface TestRender {
  /** By the templates' full paths; of a failure, what it says, as `raw`. */
  readonly files: ReadonlyMap<string, string>;
  readonly failures: ReadonlyMap<string, string>;
  readonly isRendered: boolean;
  /** What it failed with, where that is no output of a template. */
  readonly error: string | undefined;
  readonly crds: readonly CrdFile[];
  /** Where what a template printed comes from; undefined where that cannot be told. Fails as the template does. */
  readonly trace: (path: string) => RunTrace | undefined;
}

export interface TestRenderOptions {
  readonly isSchemaSkipped: boolean;
  /** Reads a schema that another one refers to by its URL. */
  readonly downloadSchema?: ((url: string) => Promise<Uint8Array>) | undefined;
}

export interface KubeVersionNumbers {
  readonly major: string;
  readonly minor: string;
}

/** What tests have of which none names a version. */
const firstKubeVersion: KubeVersionNumbers = { major: '1', minor: '20' };

interface RenderInput {
  readonly chart: Chart;
  /** What the user gives, as YAML. */
  readonly values: string;
}

/** A chart with what depends on the values alone. */
interface Prepared {
  readonly chart: Chart;
  readonly values: GoMap;
  readonly crds: readonly CrdFile[];
}

type Outcome<T> = { readonly result: T } | { readonly error: string };

const mostRemembered = 500;

/**
 * Renders a chart for tests: once for all tests that render it alike. The Kubernetes version of a test holds for the tests
 * behind it too, as in helm-unittest, until another one names a version.
 */
export class TestRenderer {
  private readonly parsed = new ParsedSources();
  private readonly keys = new ReusedKeys();
  private readonly prepared = new Map<string, Outcome<Prepared>>();
  private readonly rendered = new Map<string, Outcome<Pick<TestRender, 'files' | 'trace'>>>();
  private readonly compiled: CompiledSchemas = new WeakMap();
  private readonly coverages = new Map<Chart, Coverage>();
  /** Of the chart whose test is rendered, where it is wanted. */
  private coverage: Coverage | undefined;
  /** What a test has that names no version: what the test before it had. */
  kubeVersion: KubeVersionNumbers = firstKubeVersion;
  private readonly options: TestRenderOptions;

  constructor(options: TestRenderOptions) {
    this.options = options;
  }

  /** Notes from now on what the tests of this chart render. */
  coverageOf(chart: Chart): Coverage {
    const known = this.coverages.get(chart);
    if (known !== undefined) return known;
    const coverage = new Coverage(chart, this.parsed);
    this.coverages.set(chart, coverage);
    return coverage;
  }

  /** Whether a test comes as far as to be rendered: then the version that it names holds for the tests behind it. */
  async reachesRender(test: TestJob, { chart, values }: RenderInput): Promise<boolean> {
    this.coverage = this.coverages.get(chart);
    return nameProblem(test.release.name) === undefined && !('error' in (await this.prepare(chart, values)));
  }

  async render(test: TestJob, suite: Suite, { chart, values }: RenderInput): Promise<TestRender> {
    this.coverage = this.coverages.get(chart);
    const wrongName = nameProblem(test.release.name);
    const prepared = wrongName === undefined ? await this.prepare(chart, values) : { error: wrongName };
    if ('error' in prepared) return failedRender(prepared.error, []);
    const chosen = suite.templates.length > 0 ? suite.templates : ['**'];
    const { crds } = prepared.result;
    const outcome = await this.renderOnce(test, suite, { ...prepared.result, key: values, chosen });
    if ('result' in outcome) return { ...noFiles, ...outcome.result, isRendered: true, crds };
    const failure = needsRender(test) ? undefined : failedFile(outcome.error);
    if (failure === undefined) return failedRender(outcome.error, crds);
    const isPartial = baseName(failure.file).startsWith('_');
    const paths = isPartial ? chosen.map((name) => templatePath(suite.chartRoute, name)) : [failure.file];
    return { ...noFiles, failures: new Map(paths.map((path) => [path, failure.text])), crds };
  }

  private async prepare(chart: Chart, text: string): Promise<Outcome<Prepared>> {
    const known = this.prepared.get(`${chart.origin}\n${text}`);
    if (known !== undefined) return known;
    const outcome = await outcomeOf(messageOf, async () => {
      const given = readYamlMap(text);
      this.coverage?.given(given);
      const processed = processDependencies(chart, given);
      const values = coalesceValues(processed, given);
      const { isSchemaSkipped, downloadSchema: download } = this.options;
      if (!isSchemaSkipped) await validateValues(processed, values, { download, compiled: this.compiled });
      return { chart: processed, values, crds: crdFiles(processed) };
    });
    remember(this.prepared, `${chart.origin}\n${text}`, outcome);
    return outcome;
  }

  private async renderOnce(
    test: TestJob,
    suite: Suite,
    { chart, values, key, chosen }: Prepared & { readonly key: string; readonly chosen: readonly string[] },
  ): Promise<Outcome<Pick<TestRender, 'files' | 'trace'>>> {
    const { name, namespace, revision, upgrade } = test.release;
    const release = {
      name: name || 'RELEASE-NAME',
      namespace: namespace || 'NAMESPACE',
      revision,
      isInstall: !upgrade,
      isUpgrade: upgrade,
    };
    const capabilities = this.capabilitiesFor(test);
    const { chartRoute, excludeTemplates: excluded } = suite;
    const lookup = lookupIn(test.cluster);
    const about = {
      origin: chart.origin,
      key,
      chosen,
      excluded,
      chartRoute,
      release,
      capabilities,
      versions: test.chart,
    };
    const memory = lookup === undefined ? JSON.stringify(about) : undefined;
    const known = memory === undefined ? undefined : this.rendered.get(memory);
    if (known !== undefined) return known;
    const rendered = withVersions(withTemplates(chart, { chartRoute, chosen, excluded }), test);
    const handlebars = await loadHandlebars(rendered);
    const rsaKey = this.keys.forRender();
    const { parsed, coverage: branches } = this;
    const options = { values, release, capabilities, lookup, handlebars, parsed, rsaKey, branches };
    const outcome = await outcomeOf(helm3Message, () => ({
      ...renderChart(rendered, options),
      trace: (path: string) => traceTemplate(rendered, options, path),
    }));
    if (memory !== undefined) remember(this.rendered, memory, outcome);
    return outcome;
  }

  private capabilitiesFor({ capabilities }: TestJob): Capabilities {
    const major = capabilities.majorVersion || this.kubeVersion.major;
    const minor = capabilities.minorVersion || this.kubeVersion.minor;
    this.kubeVersion = { major, minor };
    const version = `v${major}.${minor}.0`;
    return {
      kubeVersion: { version, normalized: version, major, minor },
      apiVersions: capabilities.apiVersions ?? [],
    };
  }
}

const noFiles = {
  files: new Map(),
  failures: new Map(),
  isRendered: false,
  error: undefined,
  trace: () => undefined,
} satisfies Omit<TestRender, 'crds'>;

const failedRender = (error: string, crds: readonly CrdFile[]): TestRender => ({ ...noFiles, error, crds });

export const needsRender = ({ assertions }: TestJob): boolean =>
  assertions.every((assertion) => assertion === null || assertion.needsRender);

/** What is wrong with a release's name; undefined where nothing is, or none is given. */
function nameProblem(name: string): string | undefined {
  try {
    if (name !== '') validateReleaseName(name);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

async function outcomeOf<T>(asText: (error: unknown) => string, work: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    return { result: await work() };
  } catch (error) {
    return { error: asText(error) };
  }
}

function remember<T>(memory: Map<string, T>, key: string, value: T): void {
  if (memory.size >= mostRemembered) memory.clear();
  memory.set(key, value);
}

/** The versions that a test gives the chart hold for its direct subcharts too, as in helm-unittest. */
function withVersions(chart: Chart, { chart: { version, appVersion } }: TestJob): Chart {
  if (version === '' && appVersion === '') return chart;
  const versioned = (one: Chart): Chart => ({
    ...one,
    metadata: {
      ...one.metadata,
      version: version || one.metadata.version,
      appVersion: appVersion || one.metadata.appVersion,
    },
  });
  return { ...versioned(chart), dependencies: chart.dependencies.map(versioned) };
}
