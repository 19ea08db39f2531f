import type { GoMap } from '../go/value.ts';
import type { OrderFile } from './order-file.ts';

/** A file of a chart. `name` is its path below the chart's own folder, with `/`. */
export interface ChartFile {
  readonly name: string;
  readonly data: Uint8Array;
  readonly modifiedAt?: Date | undefined;
}

/** An entry of Chart.yaml's `dependencies` (or of requirements.yaml in a v1 chart). */
export interface Dependency {
  readonly name: string;
  readonly version?: string | undefined;
  readonly repository?: string | undefined;
  readonly condition?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
  readonly importValues?: readonly unknown[] | undefined;
  readonly alias?: string | undefined;
  /** tshelm and HIP-0025: names or aliases of the dependencies that this one waits for. */
  readonly dependsOn?: readonly string[] | undefined;
}

export interface Maintainer {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly url?: string | undefined;
}

/** Chart.yaml, by the fields that Helm's chart.Metadata has, in its order. */
export interface ChartMetadata {
  readonly name: string;
  readonly home?: string | undefined;
  readonly sources?: readonly string[] | undefined;
  readonly version: string;
  readonly description?: string | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly maintainers?: readonly Maintainer[] | undefined;
  readonly icon?: string | undefined;
  readonly apiVersion: string;
  readonly condition?: string | undefined;
  readonly tags?: string | undefined;
  readonly appVersion?: string | undefined;
  readonly deprecated?: boolean | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly kubeVersion?: string | undefined;
  readonly dependencies?: readonly Dependency[] | undefined;
  readonly type?: string | undefined;
  /** Beyond Helm: whether hooks run side by side: `false`, `otherChartsOnly` or `true`. */
  readonly runHooksInParallel?: 'false' | 'otherChartsOnly' | 'true' | undefined;
}

export interface ChartLock {
  readonly generated: string;
  readonly digest: string;
  readonly dependencies: readonly Dependency[];
}

/** A checked signature of a chart. */
export interface ChartSignature {
  /** Of the manifest in a registry, otherwise of the archive: `sha256:…` */
  readonly digest: string;
  /** The identity that a certificate or a PGP key names, or the fingerprint of a key without one. */
  readonly signer: string;
  /** The OpenID Connect issuer of a certificate's identity. */
  readonly issuer?: string | undefined;
  /** Where the transparency log has the signature. */
  readonly logIndex?: string | undefined;
}

/** A chart as loaded: nothing rendered, nothing merged, subcharts below it. */
export interface Chart {
  readonly metadata: ChartMetadata;
  readonly lock?: ChartLock | undefined;
  /** Files below `templates/`, names such as `templates/deployment.yaml`. */
  readonly templates: readonly ChartFile[];
  /** values.yaml, read. */
  readonly values: GoMap;
  /** values.schema.json, as it is. */
  readonly schema?: Uint8Array | undefined;
  readonly schemaModifiedAt?: Date | undefined;
  /** Every other file, `crds/` included. */
  readonly files: readonly ChartFile[];
  /** All files as they came, for `show` and `package`. */
  readonly raw: readonly ChartFile[];
  readonly modifiedAt?: Date | undefined;
  readonly dependencies: readonly Chart[];
  /** Where the chart was loaded from, for messages; '' for an embedded one. */
  readonly origin: string;
  /** The URL that it was fetched from, where what the user wrote means something else tomorrow: it names a commit. */
  readonly pinnedUrl?: string | undefined;
  /** Who has signed it, where that was checked when it was fetched. */
  readonly signature?: ChartSignature | undefined;
  /** The order that is declared outside of it; the outermost chart has it. */
  readonly order?: OrderFile | undefined;
}

/** A CRD file of `crds/`, Helm's chart.CRD: `filename` has the chart's full path before it. */
export interface CrdFile {
  readonly name: string;
  readonly filename: string;
  readonly data: Uint8Array;
}
