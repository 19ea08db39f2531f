import type { GoMap } from '../../go/value.ts';
import type { Assertion } from '../assertions/assertion.ts';
import type { DocumentSelector } from '../documents/selector.ts';

/** What `.Release` says in a test; what is missing is Helm's default. */
export interface ReleaseSettings {
  readonly name: string;
  readonly namespace: string;
  readonly revision: number;
  readonly upgrade: boolean;
}

/** What a suite or a test says of Kubernetes. */
export interface CapabilitySettings {
  readonly majorVersion: string;
  readonly minorVersion: string;
  /** undefined for none at all: what the suite has does not count either. */
  readonly apiVersions: readonly string[] | undefined;
}

export interface ChartSettings {
  readonly version: string;
  readonly appVersion: string;
}

/** A kind that `lookup` may ask for, by `apiVersion/kind`. */
export interface FakeKind {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly isNamespaced: boolean;
}

/** The objects that `lookup` finds. */
export interface FakeCluster {
  readonly kinds: ReadonlyMap<string, FakeKind>;
  readonly objects: readonly GoMap[];
}

export interface PostRendererSettings {
  readonly cmd: string;
  readonly args: readonly string[];
}

/** One test of a suite (helm-unittest's TestJob). */
export interface TestJob {
  readonly name: string;
  readonly values: readonly string[];
  readonly set: GoMap;
  readonly template: string;
  readonly templates: readonly string[];
  readonly documentIndex: number | undefined;
  readonly documentSelector: DocumentSelector | undefined;
  readonly release: ReleaseSettings;
  readonly capabilities: CapabilitySettings;
  readonly chart: ChartSettings;
  readonly cluster: FakeCluster;
  readonly skipReason: string;
  readonly postRenderer: PostRendererSettings | undefined;
  /** In their order; null where the file has an empty item, which counts in the numbers of the others. */
  readonly assertions: readonly (Assertion | null)[];
}

/** One suite: a document of a suite file, with what it says for all of its tests put into them. */
export interface Suite {
  readonly name: string;
  /** Relative to the folder in which the command runs. */
  readonly file: string;
  /** Which chart it is about: `shop`, `shop/charts/db`. */
  readonly chartRoute: string;
  readonly values: readonly string[];
  readonly set: GoMap;
  readonly templates: readonly string[];
  readonly excludeTemplates: readonly string[];
  readonly includeCrds: boolean;
  readonly postRenderer: PostRendererSettings | undefined;
  readonly snapshotId: string;
  readonly tests: readonly TestJob[];
}
