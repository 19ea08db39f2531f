import { givenCapabilities } from '../actions/rendering/given-capabilities.ts';
import { checkDependencies, checkInstallable } from '../chart/checks.ts';
import type { Chart } from '../chart/types.ts';
import { decodeText } from '../go/text.ts';
import type { GoMap } from '../go/value.ts';
import { hasObject, parseManifest, parseManifests } from '../manifest/parse.ts';
import type { Hook, KubernetesObject } from '../manifest/types.ts';
import { checkNameAsked } from '../release/name.ts';
import type { RenderOptions as EngineOptions } from '../render/engine.ts';
import type { EnvironmentOptions } from '../render/environment.ts';
import {
  type PreparedChart,
  prepareChart,
  type RenderedRelease,
  type RenderReleaseSyncOptions,
  renderReleaseSync,
} from '../render/release.ts';
import { library } from './charts.ts';
import type { ValuesOptions } from './user-values.ts';

/** What a chart is rendered for. */
export interface RenderTarget {
  /** The release's name; default `release-name`, as of `helm template`. */
  readonly name?: string | undefined;
  /** Default: the namespace that `new Tshelm()` was given, or `default`. */
  readonly namespace?: string | undefined;
  /** Whether templates see `.Release.IsUpgrade` instead of `.Release.IsInstall`. Default false. */
  readonly isUpgrade?: boolean | undefined;
  /** Default 1. */
  readonly revision?: number | undefined;
  /** The content of `.Capabilities`, if no cluster is asked. */
  readonly kubeVersion?: string | undefined;
  /** In addition to those that every cluster has. */
  readonly apiVersions?: readonly string[] | undefined;
}

export interface RenderSyncOptions extends RenderTarget, ValuesOptions {
  /** Puts the files of `crds/` before the manifest. Default false. */
  readonly includeCrds?: boolean | undefined;
  /** Does not check values against values.schema.json. Default false. */
  readonly skipSchemaValidation?: boolean | undefined;
  /** The notes of subcharts are notes too. Default false. */
  readonly renderSubchartNotes?: boolean | undefined;
}

/** A hook with its object. */
export interface RenderedHook extends Hook {
  readonly object: KubernetesObject;
}

/** A rendered chart. Integers beyond the safe ones are `bigint` in objects. */
export interface Rendered {
  /** The resources as one text, as Helm records them. */
  readonly manifest: string;
  /** The same as objects, in Helm's install order. They belong to whoever asked for the render, who may change them. */
  readonly objects: readonly KubernetesObject[];
  readonly hooks: readonly RenderedHook[];
  /**
   * The objects of `crds/`, subcharts included. They are read when they are first asked for: in some charts they are the
   * larger part. Error: `invalid-manifest`.
   */
  readonly crds: readonly KubernetesObject[];
  readonly notes: string;
  readonly warnings: readonly string[];
}

/** What is given to all renders of one `Tshelm`. */
export interface RenderDefaults extends Omit<EnvironmentOptions, 'rsaKey'> {
  readonly namespace: string;
  readonly handlebars?: EngineOptions['handlebars'];
}

/** Errors: `chart-not-installable`, `dependencies-missing`, `invalid-release-name`, and those of renderRelease. */
export function renderNow(chart: Chart, values: GoMap, options: RenderSyncOptions, defaults: RenderDefaults): Rendered {
  const prepared = preparedChart(chart, values, options);
  const request: RenderReleaseSyncOptions = {
    ...engineOptions(options, defaults),
    handlebars: defaults.handlebars,
    checkSchema: library.checkSchema,
    rsaKey: library.keys.take,
  };
  return renderedForPrograms(renderReleaseSync(prepared, values, request), prepared);
}

/** Errors: as of {@link renderNow}. */
export function preparedChart(chart: Chart, values: GoMap, { name = defaultName }: RenderTarget): PreparedChart {
  checkInstallable(chart);
  checkDependencies(chart);
  checkNameAsked(name);
  return prepareChart(chart, values);
}

export const defaultName = 'release-name';

/** What a render is told that may wait, and one that may not. */
export function engineOptions(options: RenderSyncOptions, defaults: RenderDefaults) {
  const { name = defaultName, namespace = defaults.namespace, isUpgrade = false, revision = 1 } = options;
  const { now, randomBytes, timeZone, enableDns } = defaults;
  const { includeCrds, skipSchemaValidation, renderSubchartNotes } = options;
  return {
    release: { name, namespace, revision, isInstall: !isUpgrade },
    capabilities: givenCapabilities(options),
    parsed: library.parsed,
    documents: library.documents,
    knowHelm2Events: true,
    now,
    randomBytes,
    timeZone,
    enableDns,
    includeCrds,
    skipSchemaValidation,
    renderSubchartNotes,
  };
}

export function renderedForPrograms(rendered: RenderedRelease, { crds }: PreparedChart): Rendered {
  const { manifest, manifests, hooks, notes, warnings } = rendered;
  let objects: readonly KubernetesObject[] | undefined;
  let crdObjects: readonly KubernetesObject[] | undefined;
  return {
    manifest,
    get objects() {
      objects ??= manifests.filter(hasObject).map(({ object }) => object);
      return objects;
    },
    hooks: hooks.map(withObject),
    get crds() {
      crdObjects ??= crds.flatMap(({ data }) => objectsIn(decodeText(data)));
      return crdObjects;
    },
    notes,
    warnings,
  };
}

function withObject(hook: Hook): RenderedHook {
  let object: KubernetesObject | undefined;
  return {
    ...hook,
    get object() {
      object ??= parseManifest(hook.manifest, hook.path).object;
      return object;
    },
  };
}

const objectsIn = (text: string): readonly KubernetesObject[] =>
  parseManifests(text)
    .filter(hasObject)
    .map(({ object }) => object);
